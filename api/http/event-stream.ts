import { validationError } from '../../src/base/errors';
import { readParts, writeJson } from '../../temporal/payloads/stored-json';
import type { StreamedAnswer } from './route';

export const EVENT_STREAM = 'text/event-stream';
/** The last one keeps nginx from holding events back. */
export const EVENT_STREAM_HEADERS = { 'Cache-Control': 'no-store, no-transform', 'X-Accel-Buffering': 'no' };

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
 * Writes items as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).
 * @param items `undefined` stands for a silence, which is written as a comment. They are returned once the first chunk
 * was read, even if no item is read
 */
export function toEventStream<T extends object>(
  items: AsyncIterator<T | undefined, unknown, undefined>,
  toEvent: (item: T) => ServerSentEvent,
): StreamedAnswer {
  return {
    mediaType: EVENT_STREAM,
    headers: EVENT_STREAM_HEADERS,
    chunks: write(items, toEvent),
  };
}

async function* write<T extends object>(
  items: AsyncIterator<T | undefined, unknown, undefined>,
  toEvent: (item: T) => ServerSentEvent,
): AsyncGenerator<string | Uint8Array> {
  try {
    // The first chunk sends the headers, although the first event may be far away.
    yield `retry: ${RETRY_MS}\n\n`;
    for (let next = await items.next(); next.done !== true; next = await items.next()) {
      if (next.value === undefined) yield ': still there\n\n';
      else yield* toText(toEvent(next.value));
    }
  } finally {
    await items.return?.();
  }
}

async function* toText({ id, event, data }: ServerSentEvent): AsyncGenerator<string | Uint8Array> {
  const { texts, values } = writeJson(data);
  // JSON has no line breaks, so one line holds all of it.
  const [first = '', ...rest] = texts;
  const beginning = `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${first}`;
  if (rest.length === 0) yield `${beginning}\n\n`;
  else {
    yield* readParts({ texts: [beginning, ...rest], values });
    yield '\n\n';
  }
}

/** The sequence of an event, as text. */
export const SEQUENCE = /^\d{1,9}$/;

/**
 * Reads a `Last-Event-ID` header, with which a caller goes on after an event.
 * @returns undefined if it is absent or empty
 * @throws HoldfastError `VALIDATION`
 */
export function readLastEventId(header: string | undefined): number | undefined {
  if (header === undefined || header === '') return undefined;
  if (!SEQUENCE.test(header)) throw validationError('Last-Event-ID', 'must be the sequence of an event');
  return Number(header);
}
