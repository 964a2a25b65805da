import { ApplicationFailure } from '@temporalio/common';
import { isCancellation, proxyActivities, sleep, upsertMemo } from '@temporalio/workflow';
import type { WebhookActivities } from '../activities/webhooks';
import {
  DELIVERY_LIMIT_MS,
  deliveryDelay,
  type DeliveryState,
  type Message,
  RECEIVER_GONE,
  type SentMessage,
  STATE_MEMO,
  type WebhookDeliveryInput,
} from '../src/contracts/runs/webhooks';

/** A little longer than a receiver may take, milliseconds. */
const ATTEMPT_LIMIT_MS = 20_000;
/** With waits for a place, milliseconds. */
const STEP_LIMIT_MS = 3_600_000;
const GONE = 410;

const { sendMessage } = proxyActivities<WebhookActivities>({
  startToCloseTimeout: ATTEMPT_LIMIT_MS,
  scheduleToCloseTimeout: STEP_LIMIT_MS,
  // These are attempts that found no place, or whose worker was lost; the workflow repeats all others.
  retry: { initialInterval: 1_000, backoffCoefficient: 1.5, maximumInterval: 15_000 },
});

/**
 * Sends one message until its receiver accepts it, for a day. Its memo says how far it is, so that lists need no history. It fails
 * if the message was not delivered.
 */
export async function webhookDelivery({ target, event, body }: WebhookDeliveryInput): Promise<DeliveryState> {
  const message = { target, id: `${target.messages}_${event.name}`, body };
  const end = Date.now() + DELIVERY_LIMIT_MS;
  for (let attempt = 1; ; attempt += 1) {
    const sent = await send(message);
    const { status = 0, retryAfterMs, problem, isRefused = false } = sent;
    const state: DeliveryState = { attempts: attempt, lastStatus: sent.status, lastProblem: problem };
    const isAccepted = status >= 200 && status < 300;
    const nextAt = Date.now() + deliveryDelay(attempt, Math.random(), retryAfterMs);
    const isOver = isAccepted || isRefused || status === GONE || nextAt > end;
    const nextAttemptAt = isOver ? undefined : new Date(nextAt).toISOString();
    upsertMemo({ [STATE_MEMO]: { ...state, nextAttemptAt } });
    if (isAccepted) return state;
    if (isOver) {
      const type = status === GONE ? RECEIVER_GONE : 'WEBHOOK_NOT_DELIVERED';
      const why = problem ?? `the receiver answered ${status}`;
      throw ApplicationFailure.nonRetryable(
        `${event.type} was not delivered to ${target.host}: ${why}`,
        type,
      );
    }
    await sleep(nextAt - Date.now());
  }
}

async function send(message: Message): Promise<SentMessage> {
  try {
    return await sendMessage(message);
  } catch (error) {
    if (isCancellation(error)) throw error;
    return { problem: 'the message could not be sent' };
  }
}
