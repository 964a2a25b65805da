import { ApplicationFailure, ChildWorkflowFailure } from '@temporalio/common';
import {
  CancellationScope,
  continueAsNew,
  executeChild,
  isCancellation,
  ParentClosePolicy,
  proxyActivities,
  workflowInfo,
} from '@temporalio/workflow';
import type { WebhookActivities } from '../activities/webhooks';
import {
  DELIVERY_TYPE,
  EVENT_MEMO,
  type NextEvent,
  RECEIVER_GONE,
  type WebhookFeedInput,
  type WebhookTarget,
} from '../src/contracts/runs/webhooks';
import type { webhookDelivery } from './webhook-delivery';

/** Events of one run of the feed, so that its history stays short. */
const MAX_EVENTS = 200;
/** The run is started together with its feed, so it exists by then, milliseconds. */
const START_LIMIT_MS = 60_000;
/** Reading a run has limits of its own, which are shorter. */
const LOOK_LIMIT_MS = 60_000;

const { nextRunEvent } = proxyActivities<WebhookActivities>({
  startToCloseTimeout: LOOK_LIMIT_MS,
  retry: { initialInterval: 500, backoffCoefficient: 1.5, maximumInterval: 15_000 },
  summary: 'the next event of the run',
});

/**
 * Delivers the events of a run, each once and in their order: the next one begins when the receiver has accepted the one before, or
 * when that was given up. A receiver that answers 410 gets no other event of this run.
 */
export async function webhookFeed(input: WebhookFeedInput): Promise<void> {
  const { target, ...question } = input;
  const startedBefore = workflowInfo().startTime.getTime() + START_LIMIT_MS;
  let { after = 0, seen } = input;
  for (let count = 0; ; count += 1) {
    if (count === MAX_EVENTS || workflowInfo().continueAsNewSuggested)
      await continueAsNew<typeof webhookFeed>({ ...input, after, seen });
    const next = await nextRunEvent({ ...question, after, seen, startedBefore });
    if (next === null) return;
    const isAccepted = await deliver(target, next);
    if (!isAccepted || next.isLast) return;
    after = next.sequence;
    ({ seen } = next);
  }
}

/** @returns false if the receiver wants no other event */
async function deliver(target: WebhookTarget, { type, runId, name, body }: NextEvent): Promise<boolean> {
  const event = { type, runId, name };
  try {
    await executeChild<typeof webhookDelivery>(DELIVERY_TYPE, {
      workflowId: `${target.feedId}/${name}`,
      args: [{ target, event, body }],
      memo: { [EVENT_MEMO]: { ...event, host: target.host } },
      parentClosePolicy: ParentClosePolicy.TERMINATE,
      staticSummary: `${type} to ${target.host}`,
    });
    return true;
  } catch (error) {
    // If the feed itself goes on, an operator has stopped the delivery.
    if (CancellationScope.current().consideredCancelled && isCancellation(error)) throw error;
    const cause = error instanceof ChildWorkflowFailure ? error.cause : undefined;
    return !(cause instanceof ApplicationFailure && cause.type === RECEIVER_GONE);
  }
}
