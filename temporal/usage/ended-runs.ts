import { defaultPayloadConverter } from '@temporalio/common';
import type { temporal } from '@temporalio/proto';
import { ownerQuery } from '../../src/contracts/runs/run-owner';
import type { Engine } from '../engine';
import { callEngine } from '../runs/call-engine';
import { AGENT_MEMO, type IndexedRun, toIndexedRun, USES_MODELS_MEMO } from '../runs/indexed-run';
import { quote } from '../runs/run-query';

/** A run that has ended, as the server's index has it. */
export interface IndexedEnd extends IndexedRun {
  /** Whether its steps may have called models. */
  readonly mayUseModels: boolean;
  /** The named agent that answered; undefined for the service's own, and for runs of other types. */
  readonly agent: string | undefined;
}

export interface EndedRunsScope {
  readonly taskQueue: string;
  readonly workflowTypes: ReadonlySet<string>;
  readonly tenant: string;
}

/** The types whose steps never call models. */
const WITHOUT_MODELS: ReadonlySet<string> = new Set([
  'executeTool',
  'executeToolsInParallel',
  'executeToolsInSequence',
  'eraseUserMemories',
  'importMemories',
  'importRecords',
  'redrawFacts',
  'reindexMemories',
  'undoConsolidation',
]);
const DEADLINE_MS = 10_000;
const PAGE = 1_000;

/**
 * Lists the runs of a tenant that ended at a time or later, latest first, page by page. A chain is its last run.
 * @param since epoch milliseconds
 * @throws HoldfastError `ENGINE_UNAVAILABLE`
 */
export async function* endedRuns(
  engine: Engine,
  { taskQueue, workflowTypes, tenant }: EndedRunsScope,
  since: number,
): AsyncGenerator<readonly IndexedEnd[]> {
  const query = [
    `TaskQueue = ${quote(taskQueue)}`,
    ownerQuery({ tenant }),
    `WorkflowType IN (${[...workflowTypes].map(quote).join(', ')})`,
    `ExecutionStatus != 'ContinuedAsNew'`,
    `CloseTime >= ${quote(new Date(since).toISOString())}`,
  ].join(' AND ');
  let nextPageToken: Uint8Array = new Uint8Array();
  do {
    const answer = await callEngine(engine, DEADLINE_MS, ({ client, namespace }) =>
      client.workflowService.listWorkflowExecutions({ namespace, query, pageSize: PAGE, nextPageToken }),
    );
    yield answer.executions.map(toIndexedEnd);
    nextPageToken = answer.nextPageToken;
  } while (nextPageToken.length > 0);
}

function toIndexedEnd(execution: temporal.api.workflow.v1.IWorkflowExecutionInfo): IndexedEnd {
  const run = toIndexedRun(execution);
  const readMemo = (field: string): unknown => {
    const payload = execution.memo?.fields?.[field];
    return payload ? defaultPayloadConverter.fromPayload(payload) : undefined;
  };
  const agent = readMemo(AGENT_MEMO);
  return {
    ...run,
    mayUseModels:
      run.type === 'customWorkflow' ? readMemo(USES_MODELS_MEMO) === true : !WITHOUT_MODELS.has(run.type),
    agent: typeof agent === 'string' ? agent : undefined,
  };
}
