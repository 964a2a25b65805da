import { pipeline } from 'node:stream/promises';
import type { ParameterizedContext } from 'koa';
import { messageOf } from '../../src/base/errors';
import type { RequestState } from './request-state';
import type { StreamedAnswer } from './route';

export const NDJSON = 'application/x-ndjson';
/** Lines are sent together in chunks of about this many characters, because each chunk costs a system call. */
const CHUNK_LENGTH = 16_384;

const STALL_LIMIT_MS = 120_000;
/** How long after its caller's key was revoked a stream may go on, milliseconds. */
const CHECK_EVERY_MS = 5_000;

/**
 * Sends a stream as fast as the caller receives it, and returns when it is sent or has ended otherwise. The status is
 * sent with the first chunk, so a later failure can only break the connection, by which the caller knows that the
 * response is incomplete.
 * @throws any error of the stream before its first chunk
 */
export async function sendStream(
  ctx: ParameterizedContext<RequestState>,
  { mediaType, fileName, headers = {}, chunks }: StreamedAnswer,
  stallLimitMs = STALL_LIMIT_MS,
): Promise<void> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (fileName !== undefined) ctx.attachment(fileName);
  ctx.status = 200;
  ctx.set({ ...headers, 'Content-Type': mediaType });
  ctx.respond = false;
  const { res, state } = ctx;
  if (ctx.method === 'HEAD') {
    await iterator.return?.();
    res.end();
    return;
  }
  let failure: { readonly error: unknown } | undefined;
  async function* rest(): AsyncGenerator<string | Uint8Array> {
    try {
      for (let next = first; next.done !== true; next = await iterator.next()) yield next.value;
    } catch (error) {
      failure = { error };
      throw error;
    } finally {
      await iterator.return?.();
    }
  }
  res.setTimeout(stallLimitMs, () => res.destroy());
  const refused = new AbortController();
  const check = async (): Promise<void> => {
    if ((await state.isStillValid?.()) === false) refused.abort();
  };
  const timer = setInterval(() => void check(), CHECK_EVERY_MS).unref();
  const signal = AbortSignal.any([state.context.signal(), refused.signal]);
  try {
    await pipeline(rest, res, { signal });
  } catch {
    // The pipeline has destroyed the response. If the caller went away or the service stops, the request's log line
    // says so.
    if (failure === undefined || signal.aborted) return;
    const { error } = failure;
    state.context.logger.warn({ reason: messageOf(error), err: error }, 'an answer broke off');
  } finally {
    clearInterval(timer);
  }
}

/** Writes items as lines of JSON (https://github.com/ndjson/ndjson-spec), in chunks of whole lines. */
export async function* ndjson(items: AsyncIterable<object>): AsyncGenerator<string> {
  let chunk = '';
  for await (const item of items) {
    chunk += `${JSON.stringify(item)}\n`;
    if (chunk.length < CHUNK_LENGTH) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}
