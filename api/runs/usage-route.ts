import { z } from 'zod';
import { dateSchema } from '../../src/contracts/http/time-schemas';
import { nameSchema } from '../../src/contracts/http/text-schema';
import { validationError } from '../../src/base/errors';
import { type Pseudonyms, RUN_USER } from '../../src/secrets/pseudonyms';
import {
  addCounts,
  type DayUsage,
  NO_COUNTS,
  sumByName,
  type UsageCounts,
} from '../../src/usage/usage-counts';
import { DAY_MS, dayOf, type Days, USAGE_DAYS, type UsageStore } from '../../src/usage/usage-store';
import type { MemoryDirectory } from '../../src/memory/service/directory';
import { serverClock } from '../../temporal/server-clock';
import { documentedAs } from '../http/examples';
import { type AnyRoute, routesWith } from '../http/route';

/** What the route needs of the caller's tenant. */
export interface UsageServices {
  readonly pseudonyms: Pseudonyms;
  readonly memory: { open(): Promise<{ readonly directory: Pick<MemoryDirectory, 'users'> }> };
  readonly usage: Pick<UsageStore, 'countedUntil' | 'days' | 'users'> & {
    /** Counts the runs that have ended until now, as far as a short time allows. Never rejects. */
    refresh(): Promise<void>;
  };
}

const { defineRoute } = routesWith<UsageServices>();

/** The days that are read if the request names none. */
const DEFAULT_DAYS = 30;
const MAX_ROWS = 1_000;
const DEFAULT_ROWS = 100;
const MAX_NAMES = 10_000;

const day = dateSchema.describe('A day of UTC, as in 2026-11-28, inclusive');
const querySchema = z.strictObject({
  by: z.enum(['day', 'model', 'agent', 'user']).default('day'),
  since: day.optional().meta({ description: `The first day; default ${DEFAULT_DAYS} days up to \`until\`` }),
  until: day.optional().meta({ description: 'The last day; default today' }),
  userId: nameSchema.optional().describe('Only what the runs of this user used'),
  limit: z.coerce.number().int().min(1).max(MAX_ROWS).default(DEFAULT_ROWS).describe('The number of rows'),
});

const count = z.number().int().min(0);
const countsSchema = z.object({
  runs: count.describe('Runs that have ended'),
  failedRuns: count.describe('Of these, runs that ended otherwise than completed'),
  promptTokens: count,
  completionTokens: count,
  totalTokens: count,
  costUsd: z.number().min(0).describe('US dollars, for the calls of models whose price is known'),
  unpricedCalls: count.describe('Calls of models without a known price'),
});
const responseSchema = z.object({
  by: querySchema.shape.by,
  since: day,
  until: day,
  countedUntil: z
    .string()
    .nullable()
    .describe('Runs that ended later may be missing; null before the first count'),
  total: countsSchema,
  rows: z
    .array(
      countsSchema.extend({
        name: z.string().describe('The day, the model, the agent, or the pseudonym of the user'),
        userId: z
          .string()
          .optional()
          .describe('With `by=user`: the user, if it has memories and the caller the scope admin'),
      }),
    )
    .describe(
      'Days newest first; others by their tokens, most first. A run counts at each model that it used',
    ),
  omitted: count.describe('Rows beyond `limit`'),
});

type Query = z.output<typeof querySchema>;

/** The route that sums up what ended runs used. */
export function usageRoute(): AnyRoute<UsageServices> {
  return defineRoute({
    method: 'get',
    path: '/api/usage',
    ...documentedAs('getUsage'),
    access: 'read',
    tag: 'Runs',
    summary: 'Tokens, money and runs, by day, model, agent or user',
    description:
      'Each run is counted once, when it has ended. Sums are kept for ' +
      `${USAGE_DAYS} days. Those of a user go when the user is erased; those of days, models and agents stay, since they name no user. ` +
      'A caller of one user gets its own sums.',
    message: ({ rows }) => `Found ${rows.length} rows`,
    request: { query: querySchema },
    response: responseSchema,
    async handler({ query }, { owner, caller, services: { usage, pseudonyms, memory } }) {
      await usage.refresh();
      const days = toDays(query);
      const user = query.userId === undefined ? owner.user : pseudonyms(RUN_USER, query.userId);
      const ofDays = await usage.days(days, user);
      const rows = await toRows(query.by, days, user, ofDays, usage);
      const counted = await usage.countedUntil();
      const shown = rows.slice(0, query.limit);
      // Only administrators learn who has memories, as from the list of users.
      const mayKnow = query.by === 'user' && caller.scopes.has('admin') && shown.length > 0;
      const names = mayKnow ? await namesOf((await memory.open()).directory, pseudonyms) : NO_NAMES;
      return {
        by: query.by,
        ...days,
        countedUntil: counted === undefined ? null : new Date(counted).toISOString(),
        total: sum(ofDays.map(([, { total }]) => total)),
        rows: shown.map(([name, counts]) => ({ name, userId: names.get(name), ...counts })),
        omitted: Math.max(0, rows.length - query.limit),
      };
    },
  });
}

/** @throws HoldfastError `VALIDATION` */
function toDays({ since, until = dayOf(serverClock.now()) }: Query): Days {
  const first = since ?? dayOf(Date.parse(until) - (DEFAULT_DAYS - 1) * DAY_MS);
  if (first > until) throw validationError('since', 'since must not be after until');
  if (Date.parse(until) - Date.parse(first) >= USAGE_DAYS * DAY_MS)
    throw validationError('since', `since and until may be at most ${USAGE_DAYS} days apart`);
  return { since: first, until };
}

type Row = readonly [name: string, counts: UsageCounts];

async function toRows(
  by: Query['by'],
  days: Days,
  user: string | undefined,
  ofDays: readonly (readonly [day: string, usage: DayUsage])[],
  usage: Pick<UsageStore, 'users'>,
): Promise<Row[]> {
  if (by === 'day') return ofDays.map(([name, { total }]): Row => [name, total]).reverse();
  if (by !== 'user') return byTokens(sumByName(ofDays.flatMap(([, one]) => one[`${by}s`])));
  if (user !== undefined) return sumByName(ofDays.map(([, { total }]) => [user, total]));
  const sums = new Map<string, UsageCounts>();
  for await (const page of usage.users(days))
    for (const [name, { total }] of page) sums.set(name, addCounts(sums.get(name) ?? NO_COUNTS, total));
  return byTokens([...sums]);
}

const NO_NAMES: ReadonlyMap<string, string> = new Map();
const PAGE = 500;

/** The names of the users that have memories, by their pseudonyms; of many users the first by name. */
async function namesOf(
  directory: Pick<MemoryDirectory, 'users'>,
  pseudonyms: Pseudonyms,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  let after: string | undefined;
  do {
    const page = await directory.users(after === undefined ? { limit: PAGE } : { limit: PAGE, after });
    for (const { userId } of page.found) names.set(pseudonyms(RUN_USER, userId), userId);
    after = page.next;
  } while (after !== undefined && names.size < MAX_NAMES);
  return names;
}

const byTokens = (rows: readonly Row[]): Row[] =>
  rows.toSorted(
    ([, first], [, second]) => second.totalTokens - first.totalTokens || second.runs - first.runs,
  );

const sum = (counts: readonly UsageCounts[]): UsageCounts => counts.reduce(addCounts, NO_COUNTS);
