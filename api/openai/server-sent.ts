import { EVENT_STREAM, EVENT_STREAM_HEADERS } from '../http/event-stream';
import type { StreamedAnswer } from '../http/route';

/** An event of a stream; a text is sent as it is, and `undefined` is a sign that the connection lives. */
export type SentItem = object | string | undefined;

/**
 * Writes items as server-sent events, as clients of OpenAI's API read them.
 * @param nameOf the name of an event; absent: events have none
 */
export function sendEvents(
  items: AsyncIterable<SentItem>,
  nameOf?: (item: object) => string,
): StreamedAnswer {
  return {
    mediaType: EVENT_STREAM,
    headers: EVENT_STREAM_HEADERS,
    chunks: write(items, nameOf),
  };
}

async function* write(
  items: AsyncIterable<SentItem>,
  nameOf: ((item: object) => string) | undefined,
): AsyncGenerator<string> {
  for await (const item of items) {
    if (item === undefined) yield ': still there\n\n';
    else if (typeof item === 'string') yield `data: ${item}\n\n`;
    else yield `${nameOf === undefined ? '' : `event: ${nameOf(item)}\n`}data: ${JSON.stringify(item)}\n\n`;
  }
}
