import type { WorkflowExecutionDescription, WorkflowExecutionInfo } from '@temporalio/client';
import type { Delivery } from '../../src/contracts/http/webhooks';
import {
  type DeliveredEvent,
  type DeliveryState,
  EVENT_MEMO,
  STATE_MEMO,
} from '../../src/contracts/runs/webhooks';
import { isOpen } from '../runs/run-state';

type DeliveryRun = Pick<
  WorkflowExecutionInfo | WorkflowExecutionDescription,
  'workflowId' | 'memo' | 'status' | 'startTime' | 'closeTime'
>;

/** The workflow id of the feed of a run, with which those of its deliveries begin. Pure. */
export function feedIdOf(workflowId: string): string {
  return `${workflowId}/webhooks`;
}

/** Builds what callers see of a delivery from the memo of its run. Pure. @returns undefined for a run without one */
export function toDelivery(run: DeliveryRun): Delivery | undefined {
  const event = run.memo?.[EVENT_MEMO] as (DeliveredEvent & { readonly host: string }) | undefined;
  if (event === undefined) return undefined;
  const { attempts, lastStatus, lastProblem, nextAttemptAt } = (run.memo?.[STATE_MEMO] ?? {
    attempts: 0,
  }) as DeliveryState;
  const status = isOpen(run.status) ? 'pending' : run.status.name === 'COMPLETED' ? 'delivered' : 'failed';
  return {
    id: toDeliveryId(run.workflowId),
    type: event.type,
    traceId: event.runId,
    host: event.host,
    status,
    attempts,
    lastStatus,
    lastProblem,
    nextAttemptAt: status === 'pending' ? nextAttemptAt : undefined,
    createdAt: run.startTime.toISOString(),
    endedAt: run.closeTime?.toISOString(),
  };
}

/** The id of a delivery is its workflow id, in characters that a path may have. Pure. */
export function toDeliveryId(workflowId: string): string {
  return Buffer.from(workflowId).toString('base64url');
}

/** Reads the workflow id of a delivery from its id; any text gives some workflow id. Pure. */
export function deliveryWorkflowId(id: string): string {
  return Buffer.from(id, 'base64url').toString();
}
