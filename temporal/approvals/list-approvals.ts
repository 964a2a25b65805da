import { executionInfoFromRaw } from '@temporalio/client/lib/helpers';
import type { Approval, ApprovalStatus } from '../../src/contracts/http/approvals';
import { APPROVAL_TYPE } from '../../src/contracts/runs/approvals';
import { ownerQuery, type RunOwner } from '../../src/contracts/runs/run-owner';
import { callEngine } from '../call-engine';
import type { Engine } from '../engine';
import { resolveMemos } from '../runs/resolve-references';
import { quote } from '../runs/run-query';
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
 * Lists approvals, those that are pending first, and newest first. A page has at most `limit` approvals, and fewer where
 * a filter drops some that the server's index cannot tell apart.
 * @throws HoldfastError `ENGINE_UNAVAILABLE`
 */
export function listApprovals(
  engine: Engine,
  taskQueue: string,
  filter: ApprovalFilter,
  { limit, token = new Uint8Array() }: { readonly limit: number; readonly token?: Uint8Array | undefined },
): Promise<ApprovalPage> {
  return callEngine(engine, DEADLINE_MS, async ({ client, namespace }) => {
    const { executions, nextPageToken } = await client.workflowService.listWorkflowExecutions({
      namespace,
      query: buildApprovalQuery(taskQueue, filter),
      pageSize: limit,
      nextPageToken: token,
    });
    await resolveMemos(client, executions);
    const runs = await Promise.all(
      executions.map((raw) =>
        executionInfoFromRaw(raw, client.options.loadedDataConverter, undefined, namespace),
      ),
    );
    // SQLite compares without regard to case.
    const approvals = runs
      .filter((run) => run.workflowId.startsWith(prefixOf(filter)))
      .flatMap((run) => readApproval(run)?.approval ?? [])
      .filter(
        ({ status, toolName }) =>
          status === (filter.status ?? status) && toolName === (filter.toolName ?? toolName),
      );
    return { approvals, ...(nextPageToken.length > 0 ? { next: nextPageToken } : {}) };
  });
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
