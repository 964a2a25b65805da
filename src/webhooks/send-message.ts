import { parseRetryAfter } from '../base/http/retry-after';
import type { RunOwner } from '../contracts/runs/run-owner';
import type { Message, SentMessage } from '../contracts/runs/webhooks';
import type { CheckedFetch } from '../egress/checked-fetch';
import { describeFailure, refusalIn } from '../egress/failures';
import type { SecretBox } from '../secrets/secret-box';
import { openTarget } from './sealed-target';
import { signMessage } from '../secrets/standard-webhooks';

/** How long a receiver may take to answer, milliseconds. */
const ANSWER_LIMIT_MS = 15_000;
/** Messages that a process sends at once, so that slow receivers leave the worker places for the steps of runs. */
const MAX_AT_ONCE = 20;
/** Those to one host. */
const MAX_TO_HOST = 5;

export interface MessageSenderPorts {
  readonly fetch: CheckedFetch;
  readonly secrets: SecretBox;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Sends messages to receivers. */
export interface MessageSender {
  /**
   * Sends a message once. Of the answer the status alone is kept, and a redirect is not followed.
   * @param owner whose run the message is of
   * @returns undefined if too many are being sent
   * @throws HoldfastError `STORE_UNAVAILABLE` if the secret was sealed with another key; the signal's reason
   */
  send(message: Message, owner: RunOwner, signal: AbortSignal): Promise<SentMessage | undefined>;
}

export function createMessageSender({ fetch, secrets, now }: MessageSenderPorts): MessageSender {
  const sending = new Map<string, number>();
  let all = 0;

  function takePlace(host: string): boolean {
    const there = sending.get(host) ?? 0;
    if (all >= MAX_AT_ONCE || there >= MAX_TO_HOST) return false;
    sending.set(host, there + 1);
    all += 1;
    return true;
  }

  function leavePlace(host: string): void {
    const left = (sending.get(host) ?? 1) - 1;
    if (left === 0) sending.delete(host);
    else sending.set(host, left);
    all -= 1;
  }

  async function post(
    { id, body, target }: Message,
    owner: RunOwner,
    signal: AbortSignal,
  ): Promise<SentMessage> {
    const { url, secret } = openTarget(secrets, target);
    const timestamp = Math.floor(now() / 1_000);
    const limit = AbortSignal.timeout(ANSWER_LIMIT_MS);
    try {
      const response = await fetch.of({ owner, allowPrivate: target.allowPrivate })(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': String(timestamp),
          'webhook-signature': signMessage(secret, { id, timestamp, body }),
        },
        body,
        signal: AbortSignal.any([signal, limit]),
      });
      const { status, headers } = response;
      void response.body?.cancel().catch(() => undefined);
      return { status, retryAfterMs: parseRetryAfter(headers.get('retry-after') ?? undefined, now()) };
    } catch (error) {
      signal.throwIfAborted();
      if (limit.aborted) return { problem: `no answer within ${ANSWER_LIMIT_MS / 1_000} s` };
      const isRefused = refusalIn(error)?.retryable === false;
      return { problem: describeFailure(error).description, isRefused };
    }
  }

  return {
    async send(message, owner, signal) {
      const { host } = message.target;
      if (!takePlace(host)) return undefined;
      try {
        return await post(message, owner, signal);
      } finally {
        leavePlace(host);
      }
    },
  };
}
