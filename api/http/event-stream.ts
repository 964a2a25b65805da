import { validationError } from '../../src/base/errors';
import type { StreamedAnswer } from './route';

export const EVENT_STREAM = 'text/event-stream';

/** An event of a stream. An event without an id does not change where a reader goes on. */
export interface ServerSentEvent {
  readonly id?: number;
  readonly event: string;
  readonly data: object;
}

/** After this long without an event, a comment is sent, so that proxies and callers know that the connection lives. */
export const SILENCE_MS = 15_000;
/** How long a browser waits until it connects again, milliseconds. */
const RETRY_MS = 1_000;

/**
 * Writes events as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).
 * @param items the events; `undefined` after a silence, which is written as a comment
 */
export function toEventStream(items: AsyncIterable<ServerSentEvent | undefined>): StreamedAnswer {
  return {
    mediaType: EVENT_STREAM,
    // The last header keeps nginx from holding events back.
    headers: { 'Cache-Control': 'no-cache, no-transform', 'X-Accel-Buffering': 'no' },
    chunks: write(items),
  };
}

async function* write(items: AsyncIterable<ServerSentEvent | undefined>): AsyncGenerator<string> {
  // The first chunk sends the headers, although the first event may be far away.
  yield `retry: ${RETRY_MS}\n\n`;
  for await (const item of items) {
    if (item === undefined) yield ': still there\n\n';
    else {
      const { id, event, data } = item;
      // JSON has no line breaks, so one line holds all of it.
      yield `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
    }
  }
}

/** The sequence of an event, as text. */
export const SEQUENCE = /^\d{1,9}$/;

/**
 * Reads a `Last-Event-ID` header, with which a caller goes on after an event.
 * @returns undefined where it is absent or empty
 * @throws HoldfastError `VALIDATION`
 */
export function readLastEventId(header: string | undefined): number | undefined {
  if (header === undefined || header === '') return undefined;
  if (!SEQUENCE.test(header)) throw validationError('Last-Event-ID', 'must be the sequence of an event');
  return Number(header);
}
