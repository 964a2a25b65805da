import type { SharedLimit } from '../contracts/runs/budgets';
import { CONFLICT, untilNoConflict } from '../stores/compare-and-set';
import type { DocumentStore } from '../stores/documents';
import { listUnder } from '../stores/list-under';

/** How many accounts are removed at once. */
const PAGE = 100;

/** Tokens and US dollars. */
export interface Spending {
  readonly tokens: number;
  readonly costUsd: number;
}

/** What one limit leaves for a call. */
export interface SharedRoom extends SharedLimit {
  /** Infinity if they are not limited. */
  readonly tokens: number;
  readonly costUsd: number;
}

/**
 * What users and sessions spend in a day or a month, shared by all processes. What a call may cost at most is set aside
 * before it is made, so that calls at once cannot exceed a limit together. All methods throw `STORE_UNAVAILABLE`
 * (retryable).
 */
export interface SpendingLedger {
  /**
   * Sets aside what a call may cost at most.
   * @param decide is given what is left by each limit, and returns the most that the call may cost, or throws; it may be
   * called again if other processes write meanwhile
   */
  reserve<T extends Spending>(
    limits: readonly SharedLimit[],
    decide: (rooms: readonly SharedRoom[]) => T,
  ): Promise<Reservation<T>>;
}

export interface Reservation<T> {
  readonly most: T;
  /** Replaces what was set aside by what the call did cost. A repeat changes nothing. */
  settle(spent: Spending): Promise<void>;
}

export interface SpendingLedgerPorts {
  readonly documents: Pick<DocumentStore, 'getMany' | 'write'>;
  readonly newId: () => string;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** What one user or session has spent in one period. */
interface Account extends Spending {
  /** By call; what a killed worker had set aside lapses. */
  readonly reserved: Readonly<Record<string, Spending & { readonly until: number }>>;
}

export const SPENDING_COLLECTION = 'spending';
const EMPTY: Account = { tokens: 0, costUsd: 0, reserved: {} };
/** Longer than any call of a model, milliseconds. */
const RESERVED_FOR_MS = 3_600_000;
/** An account is kept for longer than its period, milliseconds. */
const KEPT_FOR_MS = 35 * 86_400_000;

export function createSpendingLedger({ documents, newId, now }: SpendingLedgerPorts): SpendingLedger {
  /** Changes all accounts at once. @param mayCreate false: those that an erasure has removed stay so */
  const edit = <T>(
    keys: readonly string[],
    mayCreate: boolean,
    change: (accounts: readonly Account[]) => { readonly accounts: readonly Account[]; readonly result: T },
  ): Promise<T> =>
    untilNoConflict('what a user has spent', async () => {
      const stored = await documents.getMany<Account>(SPENDING_COLLECTION, keys);
      const { accounts, result } = change(keys.map((key) => stored.get(key)?.value ?? EMPTY));
      const writes = keys.flatMap((key, at) => {
        const ifVersion = stored.get(key)?.version ?? 0;
        if (ifVersion === 0 && !mayCreate) return [];
        const [value, expiresAt] = [accounts[at] ?? EMPTY, now() + KEPT_FOR_MS];
        return [{ type: 'put' as const, collection: SPENDING_COLLECTION, key, value, ifVersion, expiresAt }];
      });
      if (writes.length === 0) return result;
      return (await documents.write(writes, { durability: 'process' })) ? result : CONFLICT;
    });

  return {
    async reserve(limits, decide) {
      const call = newId();
      const keys = limits.map((limit) => accountKey(limit, now()));
      const most = await edit(keys, true, (accounts) => {
        const open = accounts.map((account) => withoutLapsed(account, now()));
        const result = decide(limits.map((limit, at) => toRoom(limit, open[at] ?? EMPTY)));
        const { tokens, costUsd } = result;
        const set = { tokens, costUsd, until: now() + RESERVED_FOR_MS };
        return {
          accounts: open.map((account) => ({ ...account, reserved: { ...account.reserved, [call]: set } })),
          result,
        };
      });
      return {
        most,
        settle: (spent) =>
          edit(keys, false, (accounts) => ({
            accounts: accounts.map((account) => settled(account, call, spent)),
            result: undefined,
          })),
      };
    },
  };
}

/** The key of an account. It begins with the user's pseudonym, so that an erasure finds it. Pure. */
function accountKey({ user, session, period }: SharedLimit, time: number): string {
  const day = new Date(time).toISOString().slice(0, period === 'day' ? 10 : 7);
  return [user, session ?? 'user', day].join('/');
}

function withoutLapsed(account: Account, time: number): Account {
  const open = Object.entries(account.reserved).filter(([, { until }]) => until > time);
  return { ...account, reserved: Object.fromEntries(open) };
}

function toRoom(limit: SharedLimit, { tokens, costUsd, reserved }: Account): SharedRoom {
  const { maxTokens = Infinity, maxCostUsd = Infinity } = limit;
  const set = Object.values(reserved);
  const sum = (of: keyof Spending): number => set.reduce((total, one) => total + one[of], 0);
  return {
    ...limit,
    tokens: maxTokens - tokens - sum('tokens'),
    costUsd: maxCostUsd - costUsd - sum('costUsd'),
  };
}

/** A call that has nothing set aside is settled already, by an attempt whose answer was lost, or its user was erased. */
function settled(account: Account, call: string, spent: Spending): Account {
  const { [call]: set, ...reserved } = account.reserved;
  if (set === undefined) return account;
  return { tokens: account.tokens + spent.tokens, costUsd: account.costUsd + spent.costUsd, reserved };
}

/**
 * Removes what a user has spent, in all sessions and periods.
 * @param user the pseudonym
 * @throws HoldfastError `STORE_UNAVAILABLE` (retryable); the signal's reason
 */
export async function forgetSpending(
  documents: Pick<DocumentStore, 'list' | 'write'>,
  user: string,
  signal: AbortSignal,
): Promise<void> {
  const prefix = `${user}/`;
  for (;;) {
    signal.throwIfAborted();
    const page = await listUnder(documents, SPENDING_COLLECTION, prefix, { limit: PAGE });
    if (page.length === 0) return;
    await documents.write(
      page.map(({ key }) => ({ type: 'delete' as const, collection: SPENDING_COLLECTION, key })),
    );
  }
}
