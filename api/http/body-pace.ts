import type { Readable } from 'node:stream';
import { withinTime } from '../../src/base/async/within-time';
import { HoldfastError } from '../../src/base/errors';

/** How slowly a body may come. A body that is slower is answered with `BODY_TOO_SLOW`. */
export interface BodyLimits {
  /** From the headers to the end of a JSON body, milliseconds. */
  readonly jsonMs: number;
  /** From one piece of a streamed body to the next, milliseconds. A streamed body as a whole has no limit. */
  readonly stallMs: number;
}

const STALL_LIMIT_MS = 120_000;
/** For a JSON body, for each mebibyte that one may have. */
const JSON_LIMIT_MS = 30_000;
const MEBIBYTE = 1_048_576;

/** The limits where JSON bodies have at most `maxBytes`. */
export function bodyLimitsFor(maxBytes: number): BodyLimits {
  return { jsonMs: JSON_LIMIT_MS * Math.max(1, maxBytes / MEBIBYTE), stallMs: STALL_LIMIT_MS };
}

/**
 * The pieces of a body. Time counts only while a piece is asked for, so a reader that is slow itself ends no upload. The body is
 * left as it is when reading ends early, because an answer is still to be sent on its connection.
 * @throws HoldfastError `BODY_TOO_SLOW`; what the body fails with
 */
export async function* readPaced(body: Readable, stallMs: number): AsyncGenerator<Buffer> {
  const pieces = body.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  try {
    for (;;) {
      const next = await inTime(pieces.next(), stallMs, `nothing of it came for ${stallMs} ms`);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // Not awaited: where a piece is still asked for, this waits for it, and the answer is what ends the connection.
    pieces.return?.().catch(() => undefined);
  }
}

/** What a read of a body comes to. @throws HoldfastError `BODY_TOO_SLOW` after `limitMs`, with `reason` */
export function inTime<T>(read: Promise<T>, limitMs: number, reason: string): Promise<T> {
  return withinTime(read, limitMs, () => {
    const details = { field: 'body' };
    throw new HoldfastError('BODY_TOO_SLOW', `The body came too slowly: ${reason}`, { details });
  });
}
