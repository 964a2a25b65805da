import type { ParameterizedContext } from 'koa';
import { lengthOf, readParts, StoredJson, writeJson } from '../../temporal/payloads/stored-json';
import type { SuccessEnvelope } from './envelope';
import type { RequestState } from './request-state';
import { sendStream } from './send-stream';

/** The memory that an answer takes while a large value is sent with it: parts on their way to the socket, bytes. */
const SENDING_BYTES = 1_048_576;

interface MayHoldStored {
  readonly result?: unknown;
  readonly events?: unknown;
}

/** Whether data is or has a stored value: as the result of a run, in its record, or in the last event of a page. */
export function hasStored(data: unknown): boolean {
  if (typeof data !== 'object' || data === null) return false;
  if (data instanceof StoredJson) return true;
  const { result, events } = data as MayHoldStored;
  if (result instanceof StoredJson) return true;
  // Other data may have a field of this name too.
  return Array.isArray(events) && (events as MayHoldStored[]).at(-1)?.result instanceof StoredJson;
}

/**
 * Sends an envelope with stored values in it, part by part as the caller receives them.
 * @throws HoldfastError `SERVICE_BUSY`. A store that fails later cuts the response off, and its caller sees that it is not whole.
 */
export async function sendStored(
  ctx: ParameterizedContext<RequestState>,
  envelope: SuccessEnvelope,
): Promise<void> {
  await ctx.state.context.admit(SENDING_BYTES);
  const written = writeJson(envelope);
  const length = lengthOf(written);
  await sendStream(ctx, {
    mediaType: 'application/json; charset=utf-8',
    headers: length === undefined ? {} : { 'Content-Length': String(length) },
    chunks: readParts(written),
  });
}
