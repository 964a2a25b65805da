import { validationError } from '../../src/base/errors';
import { callEngine } from './call-engine';
import type { Engine, EngineConnection } from '../engine';
import { INVALID_ARGUMENT, testGrpcStatus } from '../grpc-status';
import { type IndexedRun, type ListedRun, toIndexedRun, usesTool } from './indexed-run';
import { resolveChains } from './run-chains';
import type { LookupScope } from './run-lookup';
import { buildRunQuery, type RunFilter, unknownFilters } from './run-query';
import { comparePositions, formatMicros, type RunPosition } from './run-position';
import { isOpenStatus } from './run-status';
import type { KnownAttributes } from '../search-attributes';
import { withKnownAttributes } from './known-attributes';

const DEADLINE_MS = 10_000;
/** The server's limit of one answer. */
const MAX_BATCH = 1_000;
/** How many runs the first batch has besides the page, because runs do not end in the order of their starts. */
const MARGIN = 20;

/**
 * The states of open runs. `CloseTime IS NULL` would be both, but SQLite has no index for it, so the server would read
 * all runs that have ended (0.2 s for 50,000).
 */
const RUNNING = `ExecutionStatus = 'Running'`;
const PAUSED = `ExecutionStatus = 'Paused'`;

export interface RunPage {
  /** Newest first. */
  readonly runs: readonly ListedRun[];
  /** The position of the last run; absent on the last page. */
  readonly next?: RunPosition;
}

export interface RunListing {
  readonly filter: RunFilter;
  readonly limit: number;
  /** The position after which the page begins; absent for the first page. */
  readonly after?: RunPosition | undefined;
}

/**
 * Lists the runs of a scope by start time, newest first. The server lists open runs before others, and these by the
 * time of their end, and it has no other order on SQL stores. So open runs and runs that have ended are read apart, the
 * latter until no unread run can belong to the page: a run that ended earlier also started earlier. A page is a
 * position in start times, which never change, so runs that start or end meanwhile move no other run between pages.
 * @throws HoldfastError `VALIDATION` if a filter needs search attributes that the server lacks;
 * `ENGINE_UNAVAILABLE`
 */
export async function listRuns(engine: Engine, scope: LookupScope, listing: RunListing): Promise<RunPage> {
  return callEngine(engine, DEADLINE_MS, (connection) =>
    withKnownAttributes(connection.searchAttributes, async (known) => {
      refuseUnknown(listing.filter, known);
      return readPage(connection, known, scope, listing);
    }),
  );
}

/** @throws HoldfastError `VALIDATION` if a filter needs a search attribute that the server lacks */
function refuseUnknown(filter: RunFilter, known: KnownAttributes): void {
  const [name] = unknownFilters(filter, known);
  if (name === undefined) return;
  const field = { area: 'area', tool: 'tool', user: 'userId', session: 'sessionId', status: 'status' }[name];
  throw validationError(
    field,
    `${field} cannot be a filter here: the Temporal server lacks the search attributes of the service`,
  );
}

async function readPage(
  connection: EngineConnection,
  known: KnownAttributes,
  scope: LookupScope,
  { filter, limit, after }: RunListing,
): Promise<RunPage> {
  const runsById = new Map<string, IndexedRun>();
  // The query has whole microseconds, and the exact position is compared here.
  const before = after === undefined ? '' : ` AND StartTime <= '${formatMicros(after.started + 1)}'`;
  const query = buildRunQuery(scope, filter, known) + before;
  const wanted = limit + 1;

  /** Reads runs until `wanted` of those found started after any that is unread. */
  const read = async (state: string, latestUnread: (last: IndexedRun) => number): Promise<void> => {
    const batches = readBatches(connection, `${query} AND ${state}`, filter.tool, wanted + MARGIN);
    for await (const batch of batches) {
      for (const run of batch) {
        if (after === undefined || comparePositions(run, after) > 0) runsById.set(run.runId, run);
      }
      const last = batch.at(-1);
      if (last === undefined) continue;
      const bound = latestUnread(last);
      if (countNewer(runsById, bound) >= wanted) return;
    }
  };
  // Open runs are read first, so that a run that ends meanwhile is found at least once.
  const { status } = filter;
  if (status === undefined) await ignoreRefusal(read(PAUSED, ({ started }) => started));
  if (status === undefined || isOpenStatus(status)) await read(RUNNING, ({ started }) => started);
  if (status === undefined || !isOpenStatus(status))
    await read('CloseTime IS NOT NULL', ({ closed }) => closed);

  const runs = [...runsById.values()].sort(comparePositions);
  const page = runs.slice(0, limit);
  const last = page.at(-1);
  return {
    runs: await resolveChains(connection, page),
    next: runs.length > limit && last ? { started: last.started, runId: last.runId } : undefined,
  };
}

/** Waits for the list of paused runs, which a server that cannot pause runs refuses. */
async function ignoreRefusal(reading: Promise<void>): Promise<void> {
  try {
    await reading;
  } catch (error) {
    if (!testGrpcStatus(error, (code) => code === INVALID_ARGUMENT)) throw error;
  }
}

function countNewer(runs: ReadonlyMap<string, IndexedRun>, bound: number): number {
  let count = 0;
  for (const { started } of runs.values()) if (started > bound) count += 1;
  return count;
}

/** @param tool leaves out runs without this tool, which a server on SQLite finds by a name in other case */
async function* readBatches(
  { client, namespace }: EngineConnection,
  query: string,
  tool: string | undefined,
  first: number,
): AsyncGenerator<readonly IndexedRun[]> {
  let nextPageToken = new Uint8Array();
  for (let pageSize = Math.min(first, MAX_BATCH); ; pageSize = MAX_BATCH) {
    const answer = await client.workflowService.listWorkflowExecutions({
      namespace,
      query,
      pageSize,
      nextPageToken,
    });
    const runs = answer.executions.filter((run) => tool === undefined || usesTool(run, tool));
    yield runs.map(toIndexedRun);
    nextPageToken = new Uint8Array(answer.nextPageToken);
    if (nextPageToken.length === 0) return;
  }
}
