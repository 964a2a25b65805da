import { ownerOfRun, ownerQuery } from '../../src/contracts/runs/run-owner';
import type { Engine } from '../engine';
import { callEngine } from './call-engine';
import { toIndexedRun, toListedRun } from './indexed-run';
import type { RunRecord } from './run-lookup';

/** How long a record waits for the reruns of its run, milliseconds. */
const LIMIT_MS = 3_000;
const MAX_RERUNS = 20;

export interface RerunOfRun {
  readonly traceId: string;
  readonly workflowId: string;
  readonly status: string;
}

/**
 * Finds the latest reruns of a run, which the index shows about a second after their start.
 * @returns undefined if the index has no rerun, or cannot be asked in time; a server may lack the attribute
 */
export async function findReruns(
  engine: Engine,
  { workflowId, runId, closedAt }: RunRecord,
): Promise<RerunOfRun[] | undefined> {
  if (closedAt === null || !engine.current().searchAttributes.has('HoldfastRerunOf')) return undefined;
  try {
    const { executions } = await callEngine(engine, LIMIT_MS, ({ client, namespace }) =>
      client.workflowService.listWorkflowExecutions({
        namespace,
        query: `HoldfastRerunOf = '${runId}' AND ${ownerQuery(ownerOfRun(workflowId))}`,
        pageSize: MAX_RERUNS,
      }),
    );
    const reruns = executions.map(toIndexedRun).map(toListedRun);
    return reruns.length === 0
      ? undefined
      : reruns.map(({ traceId, workflowId: id, status }) => ({ traceId, workflowId: id, status }));
  } catch {
    return undefined;
  }
}
