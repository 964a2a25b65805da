import { HoldfastError } from '../../src/base/errors';
import type { Delivery } from '../../src/contracts/http/webhooks';
import { isRunOf, type RunOwner } from '../../src/contracts/runs/run-owner';
import { DELIVERY_TYPE, EVENT_MEMO, type WebhookDeliveryInput } from '../../src/contracts/runs/webhooks';
import type { Engine } from '../engine';
import { startInBackground } from '../runs/background-run';
import { callEngine } from '../runs/call-engine';
import { isMissingRun } from '../runs/run-errors';
import { readRunInput } from '../runs/run-result';
import { deliveryWorkflowId, toDelivery, toDeliveryId } from './delivery';

const DEADLINE_MS = 10_000;

/**
 * Sends the message of a delivery that has ended again, with the same id and body, by another delivery.
 * @param newId creates the part of the workflow id in which repeats differ
 * @returns the new delivery
 * @throws HoldfastError `DELIVERY_NOT_FOUND`, `DELIVERY_PENDING`, `ENGINE_UNAVAILABLE`
 */
export async function resendDelivery(
  engine: Engine,
  taskQueue: string,
  id: string,
  { owner, newId }: { readonly owner: RunOwner; readonly newId: () => string },
): Promise<Delivery> {
  const ended = await callEngine(engine, DEADLINE_MS, async (connection) => {
    const run = await connection.client.workflow.getHandle(deliveryWorkflowId(id)).describe();
    const isDelivery = run.type === DELIVERY_TYPE && run.taskQueue === taskQueue;
    const delivery = isDelivery && isRunOf(owner, run.workflowId) ? toDelivery(run) : undefined;
    if (delivery === undefined) throw notFound(id);
    if (delivery.status === 'pending')
      throw new HoldfastError('DELIVERY_PENDING', 'This delivery is still being tried');
    const input = (await readRunInput(connection, {
      workflowId: run.workflowId,
      runId: run.runId,
    })) as WebhookDeliveryInput;
    return { delivery, input, memo: { [EVENT_MEMO]: run.memo?.[EVENT_MEMO] } };
  }).catch((error: unknown) => {
    throw isMissingRun(error) ? notFound(id) : error;
  });
  const { target, event } = ended.input;
  const { type, traceId, host } = ended.delivery;
  const workflowId = `${target.feedId}/${event.name}/again-${newId()}`;
  await startInBackground(engine, taskQueue, {
    workflowId,
    workflowType: DELIVERY_TYPE,
    input: ended.input,
    summary: `${type} to ${host}, again`,
    memo: ended.memo,
    isOnce: true,
  });
  const createdAt = new Date().toISOString();
  return { id: toDeliveryId(workflowId), type, traceId, host, status: 'pending', attempts: 0, createdAt };
}

function notFound(id: string): HoldfastError {
  return new HoldfastError('DELIVERY_NOT_FOUND', `There is no delivery with the id "${id}"`);
}
