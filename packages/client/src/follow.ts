import { createParser, type EventSourceMessage, type ParserCallbacks } from 'eventsource-parser';
import { beforeNext, FIRST_WAIT_MS } from './connections.js';
import { HoldfastApiError } from './errors.js';
import type { RunEvent, RunSign } from './types.js';

const ENDS: ReadonlySet<string> = new Set([
  'run.completed',
  'run.failed',
  'run.cancelled',
  'run.terminated',
  'run.timed_out',
]);
/** A stream that was open for longer has not failed, whatever it brought. */
const MAX_FAILURE_MS = 5_000;

/** The options by which a stream is opened after an event. */
export const streamOptions = (after: string | undefined, signal: AbortSignal | undefined) =>
  ({
    headers: {
      Accept: 'text/event-stream',
      ...(after === undefined ? {} : { 'Last-Event-ID': after }),
    },
    parseAs: 'stream',
    signal,
  }) as const;

/** Opens the stream of a run. @param after the number of the last event that was read; undefined: none was */
export type Open = (
  after: string | undefined,
) => Promise<{ readonly error?: unknown; readonly response: Response }>;

/**
 * Reads the events of a run until its end. A connection that is cut is opened again after the last event, so that each event of
 * the log comes once; signs of life are not repeated.
 * @throws HoldfastApiError if the service refuses; the last error of the connection
 */
export async function* follow(open: Open, signal?: AbortSignal): AsyncGenerator<RunEvent | RunSign, void> {
  let after: string | undefined;
  let waitMs = FIRST_WAIT_MS;
  let failures = 0;
  const reset = (): void => {
    failures = 0;
  };
  for (;;) {
    let openedAt = Infinity;
    try {
      const { error, response } = await open(after);
      if (response.status === 204) return;
      if (!response.ok || response.body === null) throw new HoldfastApiError(response.status, error);
      openedAt = performance.now();
      const callbacks = { onRetry: (ms: number) => (waitMs = ms), onComment: reset };
      for await (const message of messagesOf(response.body, callbacks, signal)) {
        reset();
        after = message.id ?? after;
        const event = JSON.parse(message.data) as RunEvent | RunSign;
        yield event;
        if (ENDS.has(event.type)) return;
      }
      throw new TypeError('The stream of the run ends again and again');
    } catch (error) {
      if (performance.now() - openedAt > MAX_FAILURE_MS) reset();
      failures += 1;
      await beforeNext(error, failures, { waitMs, signal });
    }
  }
}

async function* messagesOf(
  body: ReadableStream<Uint8Array>,
  callbacks: Pick<ParserCallbacks, 'onRetry' | 'onComment'>,
  signal: AbortSignal | undefined,
): AsyncGenerator<EventSourceMessage> {
  const messages: EventSourceMessage[] = [];
  const parser = createParser({ ...callbacks, onEvent: (message) => messages.push(message) });
  const decoder = new TextDecoder();
  // Not all browsers iterate over streams.
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      parser.feed(decoder.decode(chunk.value, { stream: true }));
      yield* messages.splice(0);
    }
  } finally {
    signal?.removeEventListener('abort', cancel);
    await reader.cancel().catch(() => undefined);
  }
}
