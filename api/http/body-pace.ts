import type { Readable } from 'node:stream';
import { HoldfastError } from '../../src/base/errors';
import { withinTime } from '../../src/base/async/time-limit';

/** How slowly a body may arrive. A slower body is answered with `BODY_TOO_SLOW`. */
export interface BodyLimits {
  /** From the headers to the end of a JSON body, milliseconds. */
  readonly jsonMs: number;
  /** From one chunk of a streamed body to the next, milliseconds. A streamed body as a whole has no limit. */
  readonly stallMs: number;
}

const STALL_LIMIT_MS = 120_000;
/** The time for a JSON body, for each mebibyte of the maximum size. */
const JSON_LIMIT_MS = 30_000;
const MEBIBYTE = 1_048_576;

/** Computes the limits from the maximum size of a JSON body. */
export function bodyLimitsFor(maxBytes: number): BodyLimits {
  return { jsonMs: JSON_LIMIT_MS * Math.max(1, maxBytes / MEBIBYTE), stallMs: STALL_LIMIT_MS };
}

/**
 * Reads the chunks of a body. Time counts only while the reader waits for a chunk, so a slow reader ends no upload.
 * When reading ends early, the body is not destroyed, because the response is still to be sent on its connection.
 * @throws HoldfastError `BODY_TOO_SLOW`; the error of the body
 */
export async function* readPaced(body: Readable, stallMs: number): AsyncGenerator<Buffer> {
  const pieces = body.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  try {
    for (;;) {
      const next = await withinBodyTime(pieces.next(), stallMs, `no data arrived for ${stallMs} ms`);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // This is not awaited: it would wait for a chunk that was asked for, while the response is what ends the
    // connection.
    pieces.return?.().catch(() => undefined);
  }
}

/** Resolves as `read` does. @throws HoldfastError `BODY_TOO_SLOW` with `reason` after `limitMs` milliseconds */
export function withinBodyTime<T>(read: Promise<T>, limitMs: number, reason: string): Promise<T> {
  return withinTime(read, limitMs, () => {
    const details = { field: 'body' };
    throw new HoldfastError('BODY_TOO_SLOW', `The body arrived too slowly: ${reason}`, { details });
  });
}

/** How a body that is read whole is bounded. */
export interface WholeBodyLimits extends BodyLimits {
  /** Bytes. */
  readonly maxBytes: number;
}

/**
 * Reads a body whole, as it arrived.
 * @throws HoldfastError `BODY_TOO_SLOW`; what `tooLarge` makes for a body above the maximum
 */
export function readWhole(
  body: Readable,
  { maxBytes, jsonMs, stallMs }: WholeBodyLimits,
  tooLarge: () => HoldfastError,
): Promise<Buffer> {
  return collectBody(readPaced(body, stallMs), { maxBytes, jsonMs }, tooLarge);
}

/** Reads the chunks of a body whole. @throws HoldfastError as `readWhole` */
export function collectBody(
  body: AsyncIterable<Uint8Array>,
  { maxBytes, jsonMs }: Pick<WholeBodyLimits, 'maxBytes' | 'jsonMs'>,
  tooLarge: () => HoldfastError,
): Promise<Buffer> {
  const read = async (): Promise<Buffer> => {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge();
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  };
  return withinBodyTime(read(), jsonMs, `it was not complete after ${jsonMs} ms`);
}
