import { retryDelay } from '../retries';
import type { RunEvent } from '../http/run-events';

/** The workflow types. Stored histories have them, so they stay. */
export const FEED_TYPE = 'webhookFeed';
export const DELIVERY_TYPE = 'webhookDelivery';
/** The memo fields of a delivery: what it delivers, and how far it is. */
export const EVENT_MEMO = 'webhookEvent';
export const STATE_MEMO = 'webhookState';
/** The type of the failure of a delivery whose receiver wants no more of this run. */
export const RECEIVER_GONE = 'WEBHOOK_GONE';

const DELAYS = { firstMs: 5_000, factor: 2, longestMs: 3_600_000 };
/** The part by which a delay may be longer or shorter, so that receivers do not get all repeats at once. */
const JITTER = 0.1;
/** A delivery is given up a day after its first attempt, milliseconds. */
export const DELIVERY_LIMIT_MS = 86_400_000;

/**
 * Computes how long a delivery waits after an attempt, milliseconds. Pure.
 * @param attempt counted from 1
 * @param random from 0 to 1
 * @param retryAfterMs the shortest wait that the receiver asks for
 */
export function deliveryDelay(attempt: number, random: number, retryAfterMs = 0): number {
  const spread = 1 + JITTER * (2 * random - 1);
  return Math.max(Math.round(retryDelay(attempt, DELAYS) * spread), retryAfterMs);
}

/** Where the events of a run are sent to. */
export interface WebhookTarget {
  /** The workflow id of the feed, for which address and secret are sealed. */
  readonly feedId: string;
  /** Address and secret. */
  readonly sealed: string;
  /** The host of the address, with its port, which lists show. */
  readonly host: string;
  /** The beginning of the ids of its messages. */
  readonly messages: string;
  /** Whether the API that took the request permits private addresses. */
  readonly allowPrivate?: boolean;
}

/** What a feed asks for: the next event of its run. */
export interface EventQuestion {
  /** The workflow id of the run. */
  readonly workflowId: string;
  /** The digest of the request with an idempotency key; a run that another request has started is not reported. */
  readonly digest?: string | undefined;
  /** The types of the events that are wanted. */
  readonly events: readonly string[];
  /** The sequence of the latest event that was delivered, 0 before the first. */
  readonly after: number;
  /** The length of a history that has no further event. */
  readonly seen?: number | undefined;
  /** A run that does not exist by then was never started, or was deleted; epoch milliseconds by the clock of the server. */
  readonly startedBefore: number;
}

/** Input of a feed. */
export interface WebhookFeedInput extends Omit<EventQuestion, 'after' | 'startedBefore'> {
  readonly target: WebhookTarget;
  /** Present in a feed that continues another one, as is `seen`. */
  readonly after?: number;
}

export interface DeliveredEvent {
  readonly type: RunEvent['type'];
  /** The id of its run. */
  readonly runId: string;
  /** Names the event among those of its run. */
  readonly name: string;
}

export interface NextEvent extends DeliveredEvent {
  readonly sequence: number;
  readonly body: string;
  /** Whether no other event of this run follows. */
  readonly isLast: boolean;
  /** As in `EventQuestion`. */
  readonly seen?: number | undefined;
}

/** Input of a delivery. */
export interface WebhookDeliveryInput {
  readonly target: WebhookTarget;
  readonly event: DeliveredEvent;
  readonly body: string;
}

export interface Message {
  readonly target: WebhookTarget;
  /** Stays the same when the message is sent again. */
  readonly id: string;
  readonly body: string;
}

/** What came of one attempt. */
export interface SentMessage {
  /** Absent if there was no answer. */
  readonly status?: number;
  readonly retryAfterMs?: number | undefined;
  /** Why there was no answer. */
  readonly problem?: string;
  /** Whether the policy for outgoing requests refuses the address. */
  readonly isRefused?: boolean;
}

/** How far a delivery is, as its memo says. */
export interface DeliveryState {
  readonly attempts: number;
  readonly lastStatus?: number | undefined;
  readonly lastProblem?: string | undefined;
  /** ISO 8601; absent if no attempt follows. */
  readonly nextAttemptAt?: string | undefined;
}
