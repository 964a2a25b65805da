import type { temporal } from '@temporalio/proto';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

/** A part of a history ends with the event by which its stored values reach this size, bytes. */
const PART_BYTES = 4 * 1_048_576;

/**
 * Divides events into parts that follow each other, by the sizes of the values that they refer to. Pure.
 * @returns no part if there are no events
 */
export function inParts(events: readonly HistoryEvent[]): HistoryEvent[][] {
  const parts: HistoryEvent[][] = [];
  let bytes = Infinity;
  for (const event of events) {
    if (bytes >= PART_BYTES) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(event);
    bytes += storedBytes(event);
  }
  return parts;
}

/** Adds up the sizes of the stored values that a message refers to: the SDK notes the size beside each reference. */
function storedBytes(message: unknown): number {
  if (typeof message !== 'object' || message === null || ArrayBuffer.isView(message)) return 0;
  if ('sizeBytes' in message) return Number(message.sizeBytes);
  return Object.values(message).reduce((sum: number, field) => sum + storedBytes(field), 0);
}
