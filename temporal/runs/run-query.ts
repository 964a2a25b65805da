import { ownerQuery } from '../../src/contracts/runs/run-owner';
import type { Area } from '../../src/contracts/runs/tools';
import type { SearchAttribute } from '../../src/contracts/runs/search-attributes';
import type { LookupScope } from './run-lookup';
import type { KnownAttributes } from '../search-attributes';

const WAITING = 'HoldfastWaiting' satisfies SearchAttribute;

/** The statuses by which runs can be listed, with their names in the server's queries. */
const STATUS_NAMES = {
  running: 'Running',
  waiting: 'Running',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Canceled',
  terminated: 'Terminated',
  timed_out: 'TimedOut',
} as const;

/** What distinguishes the two statuses that are one for the server. */
const WAITING_CONDITIONS: Partial<Record<ListedStatus, string>> = {
  running: `${WAITING} IS NULL`,
  waiting: `${WAITING} IS NOT NULL`,
};

export type ListedStatus = keyof typeof STATUS_NAMES;
export const LISTED_STATUSES = Object.keys(STATUS_NAMES) as [ListedStatus, ...ListedStatus[]];

/** What a list of runs is limited to. A run has to match all of the values. */
export interface RunFilter {
  /** A workflow type. */
  readonly type?: string | undefined;
  readonly status?: ListedStatus | undefined;
  readonly area?: Area | undefined;
  /** A tool that the run uses. */
  readonly tool?: string | undefined;
  /** The pseudonym of the user of a turn, and below that of its session. */
  readonly user?: string | undefined;
  readonly session?: string | undefined;
  /** ISO 8601, both inclusive: the time at which the run started. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** The filters that need a custom search attribute. */
const ATTRIBUTE_FILTERS = {
  area: 'HoldfastArea',
  tool: 'HoldfastTools',
  user: 'HoldfastUser',
  session: 'HoldfastSession',
} as const satisfies Partial<Record<keyof RunFilter, SearchAttribute>>;

type AttributeFilter = keyof typeof ATTRIBUTE_FILTERS;

/** The filters in use that need a custom search attribute which the server lacks. Pure. */
export function unknownFilters(filter: RunFilter, known: KnownAttributes): (AttributeFilter | 'status')[] {
  const needsWaiting = filter.status === 'waiting' && !known.has(WAITING);
  return [
    ...equalFilters(filter).filter((name) => !known.has(ATTRIBUTE_FILTERS[name])),
    ...(needsWaiting ? (['status'] as const) : []),
  ];
}

function equalFilters(filter: RunFilter): AttributeFilter[] {
  return (Object.keys(ATTRIBUTE_FILTERS) as AttributeFilter[]).filter((name) => filter[name] !== undefined);
}

/**
 * Builds the query for the runs of a scope that match a filter. Of a run that continued as new only the latest run of
 * the chain matches. Pure.
 * @param known the search attributes that the server has; without the one of waiting, runs that wait are running
 */
export function buildRunQuery(
  { taskQueue, workflowTypes, owner }: LookupScope,
  filter: RunFilter,
  known: KnownAttributes,
): string {
  const { type, status, since, until } = filter;
  const waiting = status !== undefined && known.has(WAITING) ? WAITING_CONDITIONS[status] : undefined;
  const types = type === undefined ? [...workflowTypes] : [type].filter((name) => workflowTypes.has(name));
  return [
    `TaskQueue = ${quote(taskQueue)}`,
    ownerQuery(owner),
    `WorkflowType IN (${types.map(quote).join(', ')})`,
    status === undefined
      ? `ExecutionStatus != 'ContinuedAsNew'`
      : `ExecutionStatus = ${quote(STATUS_NAMES[status])}`,
    ...(waiting === undefined ? [] : [waiting]),
    ...equalFilters(filter).map((name) => `${ATTRIBUTE_FILTERS[name]} = ${quote(filter[name] ?? '')}`),
    ...(since === undefined ? [] : [`StartTime >= ${quote(since)}`]),
    ...(until === undefined ? [] : [`StartTime <= ${quote(until)}`]),
  ].join(' AND ');
}

/**
 * Writes a text as a literal of the server's query language, which has the escapes of MySQL. A server on SQLite matches
 * no text that has a backslash or a double quote. Pure.
 */
export function quote(text: string): string {
  return `'${text.replaceAll(/[\\']/g, (character) => `\\${character}`)}'`;
}
