import type { RunEvent } from '../../src/contracts/http/run-events';
import { StoredJson } from '../../temporal/payloads/stored-json';

/** Maximum length of the body of a message, bytes. */
const MAX_BYTES = 262_144;
/** The parts of a record that may be long; they are left out in this order until the rest fits. */
const LONG_PARTS = ['result', 'steps', 'approvals', 'input', 'error'];

/**
 * Builds the body of a message about an event: the record of its run, without its result if that is too long. Pure.
 * @param record as `GET /api/runs/:traceId` answers it, without credentials
 */
export function toEventBody(
  { type, time }: Pick<RunEvent, 'type' | 'time'>,
  record: Readonly<Record<string, unknown>>,
): string {
  const left = [...LONG_PARTS];
  // A stored result has a mebibyte or more.
  let data = record['result'] instanceof StoredJson ? without(record, left.shift()) : record;
  for (;;) {
    const body = JSON.stringify({ type, timestamp: time, data });
    if (left.length === 0 || Buffer.byteLength(body) <= MAX_BYTES) return body;
    data = without(data, left.shift());
  }
}

function without(
  record: Readonly<Record<string, unknown>>,
  part: string | undefined,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== part));
}
