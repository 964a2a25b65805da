import type { WorkflowExecutionDescription } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import { eachAtOnce } from '../../src/base/async/each-at-once';
import type { EngineConnection } from '../engine';
import { type IndexedRun, type ListedRun, toListedRun } from './indexed-run';

/**
 * The workflow types that continue as new. The index does not have the first run of a chain, so runs of these types are
 * looked up one by one.
 */
export const CHAINED_TYPES: ReadonlySet<string> = new Set([
  'consolidateAllUsers',
  'importMemories',
  'importRecords',
  'redrawFacts',
  'reindexMemories',
  'webhookFeed',
]);
const AT_ONCE = 20;

/**
 * Replaces the latest run of a chain by its chain, which has the id and the start of its first run. Leaves out a run
 * that has continued as new, which the index shows as open for a moment, because its chain is listed by the next run.
 */
export async function resolveChains(
  connection: EngineConnection,
  runs: readonly IndexedRun[],
): Promise<ListedRun[]> {
  const listed = runs.map(toListedRun);
  if (!listed.some(({ type }) => CHAINED_TYPES.has(type))) return listed;
  const chains: (ListedRun | undefined)[] = [...listed];
  await eachAtOnce(listed.entries(), AT_ONCE, async ([index, run]) => {
    if (CHAINED_TYPES.has(run.type)) chains[index] = await resolveChain(connection, run);
  });
  return chains.filter((chain) => chain !== undefined);
}

/**
 * A run whose chain's first run is no longer kept stays as it is, because only its own id can be looked up.
 * @returns undefined for a run that has continued as new
 */
async function resolveChain({ client }: EngineConnection, run: ListedRun): Promise<ListedRun | undefined> {
  try {
    const { raw, status } = await client.workflow.getHandle(run.workflowId, run.traceId).describe();
    if (status.name === 'CONTINUED_AS_NEW') return undefined;
    const traceId = firstRunIdOf({ raw, runId: run.traceId });
    if (traceId === run.traceId) return run;
    const { startTime } = await client.workflow.getHandle(run.workflowId, traceId).describe();
    return { ...run, traceId, runId: traceId, startedAt: startTime.toISOString() };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return run;
    throw error;
  }
}

/** The id of the first run of a run's chain, as the server reports it, by which callers know the chain. Pure. */
export function firstRunIdOf({ raw, runId }: Pick<WorkflowExecutionDescription, 'raw' | 'runId'>): string {
  return raw.workflowExecutionInfo?.firstRunId || runId;
}
