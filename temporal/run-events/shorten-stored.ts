import type { Client } from '@temporalio/client';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import type { temporal } from '@temporalio/proto';
import { openLarge, StoredPayload } from '../payloads/large-values';
import { COUNTED_LENGTH, LONG_DETAIL } from '../../src/contracts/json';
import { readFields, type StoredJson } from '../payloads/stored-json';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;
type Payloads = temporal.api.common.v1.IPayloads;

/** What a tool printed is beside its output, and has up to this size, bytes. */
const LOGS_BYTES = 524_288;
/** An output of this size has more characters than are counted, as no character takes more than three bytes. */
const UNCOUNTED_BYTES = COUNTED_LENGTH * 3 + LOGS_BYTES;

/**
 * Replaces large values of a history before the stored ones are read: the result of the run by one that stays in the
 * store, and inputs and results of tool calls by the part of them that a log shows.
 * @throws the error of the store if a value cannot be read
 */
export async function shortenStored(client: Client, event: HistoryEvent): Promise<HistoryEvent> {
  const ended = event.workflowExecutionCompletedEventAttributes;
  if (ended != null) {
    const stored = await openLarge(client, ended.result?.payloads?.[0]);
    if (stored === undefined) return event;
    const result = { payloads: [new StoredPayload(stored)] };
    return { ...event, workflowExecutionCompletedEventAttributes: { ...ended, result } };
  }
  const scheduled = event.activityTaskScheduledEventAttributes;
  if (scheduled != null) {
    const input = await shorten(client, scheduled.input, INPUT_REST);
    return input === undefined
      ? event
      : { ...event, activityTaskScheduledEventAttributes: { ...scheduled, input } };
  }
  const completed = event.activityTaskCompletedEventAttributes;
  if (completed == null) return event;
  const result = await shorten(client, completed.result, OUTPUT_REST);
  return result === undefined
    ? event
    : { ...event, activityTaskCompletedEventAttributes: { ...completed, result } };
}

/** What follows the fields by which a call is named, and what stands in its place. */
interface Rest {
  readonly begins: string;
  readonly replacement: Readonly<Record<string, unknown>>;
  readonly minBytes: number;
}

const OUTPUT_REST: Rest = {
  begins: ',"output":',
  replacement: { output: LONG_DETAIL },
  minBytes: UNCOUNTED_BYTES,
};
const INPUT_REST: Rest = { begins: ',"args":', replacement: {}, minBytes: 65_536 };

/** @returns undefined for a value that is not large, or begins with something else, as those of earlier builds do */
async function shorten(
  client: Client,
  payloads: Payloads | null | undefined,
  { begins, replacement, minBytes }: Rest,
): Promise<Payloads | undefined> {
  const stored = await openLarge(client, payloads?.payloads?.[0], minBytes);
  const named = stored && readNames(stored, begins);
  return named && { payloads: [toPayload({ ...named, ...replacement })] };
}

/** Reads the fields before the first long one. Inside of a text, its quotation marks would have backslashes. */
function readNames({ beginning }: StoredJson, begins: string): object | undefined {
  const end = beginning.indexOf(begins);
  return end === -1 ? undefined : readFields(beginning.slice(0, end));
}

function toPayload(value: object): Payload {
  return defaultPayloadConverter.toPayload(value);
}
