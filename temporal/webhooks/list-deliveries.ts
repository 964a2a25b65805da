import type { Delivery } from '../../src/contracts/http/webhooks';
import { ownerQuery, type RunOwner } from '../../src/contracts/runs/run-owner';
import { DELIVERY_TYPE } from '../../src/contracts/runs/webhooks';
import type { Engine } from '../engine';
import { callEngine } from '../runs/call-engine';
import { quote } from '../runs/run-query';
import { readListedRuns } from '../sdk-patches/stored-values';
import { feedIdOf, toDelivery } from './delivery';

export interface DeliveryFilter {
  readonly status?: Delivery['status'] | undefined;
  /** The workflow id of the run whose events are delivered. */
  readonly workflowId?: string | undefined;
  /** Whose runs. */
  readonly owner: RunOwner;
}

export interface DeliveryPage {
  readonly deliveries: readonly Delivery[];
  /** The server's token for the next page; absent on the last page. */
  readonly next?: Uint8Array | undefined;
}

const DEADLINE_MS = 10_000;

const STATES: Readonly<Record<Delivery['status'], string>> = {
  pending: `ExecutionStatus = 'Running'`,
  delivered: `ExecutionStatus = 'Completed'`,
  failed: `ExecutionStatus != 'Running' AND ExecutionStatus != 'Completed'`,
};

/**
 * Lists deliveries, those that are pending first, and newest first.
 * @throws HoldfastError `ENGINE_UNAVAILABLE`
 */
export function listDeliveries(
  engine: Engine,
  taskQueue: string,
  { status, workflowId, owner }: DeliveryFilter,
  { limit, token = new Uint8Array() }: { readonly limit: number; readonly token?: Uint8Array | undefined },
): Promise<DeliveryPage> {
  const prefix = workflowId === undefined ? '' : `${feedIdOf(workflowId)}/`;
  const query = [
    `TaskQueue = ${quote(taskQueue)}`,
    `WorkflowType = ${quote(DELIVERY_TYPE)}`,
    ...(status === undefined ? [] : [STATES[status]]),
    ...(prefix === '' ? [] : [`WorkflowId STARTS_WITH ${quote(prefix)}`]),
    // The workflow id of a delivery begins with that of its run.
    ownerQuery(owner),
  ].join(' AND ');
  return callEngine(engine, DEADLINE_MS, async ({ client, namespace }) => {
    const request = { namespace, query, pageSize: limit, nextPageToken: token };
    const listed = await client.workflowService.listWorkflowExecutions(request);
    const runs = await readListedRuns(client, namespace, listed.executions);
    // SQLite compares without regard to case.
    const ownRuns = runs.filter((run) => run.workflowId.startsWith(prefix));
    return {
      deliveries: ownRuns.flatMap((run) => toDelivery(run) ?? []),
      next: listed.nextPageToken.length > 0 ? listed.nextPageToken : undefined,
    };
  });
}
