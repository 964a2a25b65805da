import { pipeline } from 'node:stream/promises';
import type { ParameterizedContext } from 'koa';
import { messageOf } from '../../src/base/errors';
import type { RequestState } from './request-state';
import type { StreamedAnswer } from './route';

const STALL_LIMIT_MS = 120_000;

/**
 * Sends a streamed answer as fast as the caller takes it, and returns when it is out or has come to another end. From its
 * first chunk on the status is told, so a failure can only break the connection: a caller never takes a part for the whole.
 * @throws what the chunks throw before the first of them
 */
export async function sendStream(
  ctx: ParameterizedContext<RequestState>,
  { mediaType, fileName, chunks }: StreamedAnswer,
  stallLimitMs = STALL_LIMIT_MS,
): Promise<void> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (fileName !== undefined) ctx.attachment(fileName);
  ctx.status = 200;
  ctx.set('Content-Type', mediaType);
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
  try {
    await pipeline(rest, res, { signal: state.context.signal() });
  } catch {
    // The pipeline has destroyed the answer. That a caller went away, or a stop, is told by the line of the request.
    if (failure === undefined || state.context.signal().aborted) return;
    const { error } = failure;
    state.context.logger.warn({ reason: messageOf(error), err: error }, 'an answer broke off');
  }
}
