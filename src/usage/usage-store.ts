import { groupBy } from '../base/lists';
import { CONFLICT, untilNoConflict } from '../stores/compare-and-set';
import {
  type DocumentWrite,
  MAX_LIST_LIMIT,
  type StoredDocument,
  type TenantDocuments,
} from '../stores/documents';
import { addRun, type DayUsage, type EndedRun, NO_USAGE_OF_DAY } from './usage-counts';

/** What the ended runs of a tenant used. All methods throw `STORE_UNAVAILABLE` (retryable). */
export interface UsageStore {
  /** Counts runs, each once, and none of a user that ended before the user was erased. */
  count(runs: readonly EndedRun[]): Promise<void>;
  /** Those of the runs that are not counted yet. */
  uncounted(runIds: readonly string[]): Promise<Set<string>>;
  /** The time up to which ended runs are counted, epoch milliseconds; undefined before the first count. */
  countedUntil(): Promise<number | undefined>;
  setCountedUntil(time: number): Promise<void>;
  /** The sums of all runs of each day, or those of a user's. @param days as in 2026-11-28, both inclusive */
  days(days: Days, user?: string): Promise<(readonly [day: string, usage: DayUsage])[]>;
  /** The sums of each user and day, a page at a time. Users are pseudonyms. */
  users(days: Days): AsyncGenerator<readonly (readonly [user: string, usage: DayUsage])[]>;
}

export interface Days {
  readonly since: string;
  readonly until: string;
}

/** The runs that are counted, so that none is counted twice. */
const RUNS = 'usage-runs';
/** By day: the sums of all runs. They name no user, so an erasure leaves them. */
const DAYS = 'usage-days';
/** By day and user. */
const USERS = 'usage-users';
const STATE = 'usage-state';
const COUNTED = 'counted-until';
/** When users were erased, so that no run that ended before brings their sums back. */
const ERASED = 'usage-erased';

export const DAY_MS = 86_400_000;
/** How long a run is known as counted, which is longer than engines keep runs by default: a count after an outage begins before it. */
const KNOWN_FOR_MS = 35 * DAY_MS;
/** How long sums are kept. */
export const USAGE_DAYS = 400;
const BATCH = 100;

export function createUsageStore(documents: TenantDocuments, now: () => number): UsageStore {
  const uncounted = async (runIds: readonly string[]): Promise<Set<string>> => {
    const counted = await documents.getEach(RUNS, runIds);
    return new Set(runIds.filter((id) => !counted.has(id)));
  };

  async function countBatch(runs: readonly EndedRun[]): Promise<void> {
    await untilNoConflict('the usage of models', async () => {
      const fresh = await uncounted(runs.map(({ runId }) => runId));
      const added = runs.filter(({ runId }) => fresh.has(runId));
      if (added.length === 0) return;
      const ofUsers = added.filter(isOfUser);
      const erasures = await documents.getMany<number>(ERASED, usersOf(ofUsers));
      const afterErasures = ofUsers.filter(
        ({ user, closedAt }) => closedAt > (erasures.get(user)?.value ?? 0),
      );
      const writes = [
        ...usersOf(afterErasures).map((user) => unlessErased(user, erasures)),
        ...added.map(({ runId }): DocumentWrite => {
          return {
            type: 'put',
            collection: RUNS,
            key: runId,
            value: {},
            ifVersion: 0,
            expiresAt: now() + KNOWN_FOR_MS,
          };
        }),
        ...(await sums(DAYS, added, ({ closedAt }) => dayOf(closedAt))),
        ...(await sums(USERS, afterErasures, ({ closedAt, user }) => `${dayOf(closedAt)}/${user}`)),
      ];
      return (await documents.write(writes, { durability: 'process' })) ? undefined : CONFLICT;
    });
  }

  /** The writes that add runs to the sums under their keys. */
  async function sums<R extends EndedRun>(
    collection: string,
    runs: readonly R[],
    keyOf: (run: R) => string,
  ): Promise<DocumentWrite[]> {
    const groups = groupBy(runs, keyOf).map((group) => [keyOf(group[0]), group] as const);
    const stored = await documents.getMany<DayUsage>(
      collection,
      groups.map(([key]) => key),
    );
    return groups.map(([key, group]) => {
      const { value = NO_USAGE_OF_DAY, version = 0 } = stored.get(key) ?? {};
      const expiresAt = Date.parse(key.slice(0, 10)) + USAGE_DAYS * DAY_MS;
      return {
        type: 'put',
        collection,
        key,
        value: group.reduce<DayUsage>(addRun, value),
        ifVersion: version,
        expiresAt,
      };
    });
  }

  return {
    uncounted,
    async count(runs) {
      for (let at = 0; at < runs.length; at += BATCH) await countBatch(runs.slice(at, at + BATCH));
    },
    async countedUntil() {
      return (await documents.get<number>(STATE, COUNTED))?.value;
    },
    async setCountedUntil(time) {
      await documents.write([{ type: 'put', collection: STATE, key: COUNTED, value: time }]);
    },
    async days({ since, until }, user) {
      const keys = daysFrom(since, until).map((day) => (user === undefined ? day : `${day}/${user}`));
      const storedDays = await documents.getEach<DayUsage>(user === undefined ? DAYS : USERS, keys);
      return keys.flatMap((key) => {
        const usage = storedDays.get(key)?.value;
        return usage === undefined ? [] : [[key.slice(0, 10), usage] as const];
      });
    },
    async *users({ since, until }) {
      const end = `${until}/\uffff`;
      for (let after: string | undefined = since; after !== undefined;) {
        const page: { readonly key: string; readonly value: DayUsage }[] = await documents.list<DayUsage>(
          USERS,
          {
            after,
          },
        );
        yield page.filter(({ key }) => key < end).map(({ key, value }) => [key.slice(11), value] as const);
        const last: string | undefined = page.at(-1)?.key;
        after = page.length < MAX_LIST_LIMIT || last === undefined || last >= end ? undefined : last;
      }
    },
  };
}

/** Fails the batch if the user was erased meanwhile. */
function unlessErased(user: string, erasures: ReadonlyMap<string, StoredDocument<number>>): DocumentWrite {
  const erasure = erasures.get(user);
  if (erasure === undefined) return { type: 'delete', collection: ERASED, key: user, ifVersion: 0 };
  const { value, version } = erasure;
  return {
    type: 'put',
    collection: ERASED,
    key: user,
    value,
    ifVersion: version,
    expiresAt: value + KNOWN_FOR_MS,
  };
}

/**
 * Removes the sums of a user.
 * @param user the pseudonym
 * @throws HoldfastError `STORE_UNAVAILABLE` (retryable); the signal's reason
 */
export async function forgetUsage(
  documents: Pick<TenantDocuments, 'write'>,
  user: string,
  now: number,
  signal: AbortSignal,
): Promise<void> {
  const expiresAt = now + KNOWN_FOR_MS;
  await documents.write([{ type: 'put', collection: ERASED, key: user, value: now, expiresAt }]);
  const days = daysFrom(dayOf(now - USAGE_DAYS * DAY_MS), dayOf(now + DAY_MS));
  for (let at = 0; at < days.length; at += BATCH) {
    signal.throwIfAborted();
    const keys = days.slice(at, at + BATCH).map((day) => `${day}/${user}`);
    await documents.write(keys.map((key) => ({ type: 'delete', collection: USERS, key })));
  }
}

/** The day of a time in UTC, as in 2026-11-28. Pure. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function daysFrom(since: string, until: string): string[] {
  const days: string[] = [];
  for (let time = Date.parse(since); time <= Date.parse(until); time += DAY_MS) days.push(dayOf(time));
  return days;
}

/** A run that belongs to a user. */
type RunOfUser = EndedRun & { readonly user: string };

const isOfUser = (run: EndedRun): run is RunOfUser => run.user !== undefined;
const usersOf = (runs: readonly RunOfUser[]): string[] => [...new Set(runs.map(({ user }) => user))];
