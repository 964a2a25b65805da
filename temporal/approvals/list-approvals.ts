import type { Client } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';
import type { Approval, ApprovalStatus } from '../../src/contracts/http/approvals';
import { APPROVAL_TYPE } from '../../src/contracts/runs/approvals';
import { ownerQuery, type RunOwner } from '../../src/contracts/runs/run-owner';
import { callEngine } from '../runs/call-engine';
import type { Engine } from '../engine';
import { quote } from '../runs/run-query';
import { readListedRuns } from '../sdk-patches/stored-values';
import { DEADLINE_MS, readApproval } from './read-approval';

export interface ApprovalFilter {
  readonly status?: ApprovalStatus | undefined;
  /** The workflow id of the run that waits. */
  readonly workflowId?: string | undefined;
  /** Whose runs wait. */
  readonly owner: RunOwner;
  readonly toolName?: string | undefined;
  /** ISO 8601, inclusive. */
  readonly since?: string | undefined;
}

export interface ApprovalPage {
  readonly approvals: readonly Approval[];
  /** The server's token for the next page; absent on the last page. */
  readonly next?: Uint8Array;
}

/**
 * The number of approvals that are read at once. Arguments and answer of each may have a megabyte, of which a list shows the length
 * alone.
 */
const READ_AT_ONCE = 50;
/** A page that has taken this long ends, so that the call of the server that it makes then has time left, milliseconds. */
const PAGE_MS = DEADLINE_MS / 2;

/**
 * Lists approvals, those that are pending first, and newest first. A page has at most `limit` approvals, and fewer if
 * a filter drops some that the server's index cannot tell apart, or if reading them takes long.
 * @throws HoldfastError `ENGINE_UNAVAILABLE`
 */
export function listApprovals(
  engine: Engine,
  taskQueue: string,
  filter: ApprovalFilter,
  { limit, token = new Uint8Array() }: { readonly limit: number; readonly token?: Uint8Array | undefined },
): Promise<ApprovalPage> {
  const query = buildApprovalQuery(taskQueue, filter);
  const end = Date.now() + PAGE_MS;
  return callEngine(engine, DEADLINE_MS, async ({ client, namespace }) => {
    const approvals: Approval[] = [];
    let nextPageToken = token;
    for (let left = limit; left > 0; left -= READ_AT_ONCE) {
      const pageSize = Math.min(left, READ_AT_ONCE);
      const listed = await client.workflowService.listWorkflowExecutions({
        namespace,
        query,
        pageSize,
        nextPageToken,
      });
      approvals.push(...(await readApprovals(client, namespace, listed.executions, filter)));
      ({ nextPageToken } = listed);
      if (nextPageToken.length === 0 || Date.now() >= end) break;
    }
    return { approvals, next: nextPageToken.length > 0 ? nextPageToken : undefined };
  });
}

async function readApprovals(
  client: Client,
  namespace: string,
  executions: temporal.api.workflow.v1.IWorkflowExecutionInfo[],
  filter: ApprovalFilter,
): Promise<Approval[]> {
  const runs = await readListedRuns(client, namespace, executions);
  // SQLite compares without regard to case.
  return runs
    .filter((run) => run.workflowId.startsWith(prefixOf(filter)))
    .flatMap((run) => readApproval(run)?.approval ?? [])
    .filter(
      ({ status, toolName }) =>
        status === (filter.status ?? status) && toolName === (filter.toolName ?? toolName),
    );
}

/** Pure. */
function buildApprovalQuery(taskQueue: string, { status, workflowId, owner, since }: ApprovalFilter): string {
  return [
    `TaskQueue = ${quote(taskQueue)}`,
    `WorkflowType = ${quote(APPROVAL_TYPE)}`,
    ...(status === undefined ? [] : [`ExecutionStatus ${status === 'pending' ? '=' : '!='} 'Running'`]),
    ...(workflowId === undefined ? [] : [`WorkflowId STARTS_WITH ${quote(prefixOf({ workflowId }))}`]),
    // The workflow id of an approval begins with that of its run.
    ownerQuery(owner),
    ...(since === undefined ? [] : [`StartTime >= ${quote(since)}`]),
  ].join(' AND ');
}

/** The beginning of the workflow ids of approvals that a filter lets through. */
function prefixOf({ workflowId }: Pick<ApprovalFilter, 'workflowId'>): string {
  return workflowId === undefined ? '' : `${workflowId}/${APPROVAL_TYPE}/`;
}
