import { closeSync, fstatSync, openSync, readSync, statSync, truncateSync } from 'node:fs';

const MAX_BYTES = 10 * 1024 * 1024;
/** The stacks of a Go panic take more than 8 KiB, and its reason stands before them. */
const TAIL_BYTES = 256 * 1024;
const CHECK_EVERY_MS = 60_000;

/** Empties the log when it has grown too large. A process that appends to it continues at the new end. */
export function boundLog(path: string, maxBytes = MAX_BYTES): void {
  if (readLogSize(path) > maxBytes) truncateSync(path, 0);
}

/**
 * Checks the size of a running server's log every minute, and empties it when it has grown too large.
 *
 * @returns a function that stops this
 */
export function keepLogBounded(path: string): () => void {
  const timer = setInterval(() => boundLog(path), CHECK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

export function readLogSize(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}

/** Reads up to `max` of the last lines that were written after byte `from`. */
export function readLastLines(path: string, max: number, from = 0): string[] {
  let descriptor;
  try {
    descriptor = openSync(path, 'r');
    const { size } = fstatSync(descriptor);
    const start = Math.max(from > size ? 0 : from, size - TAIL_BYTES);
    const buffer = Buffer.alloc(size - start);
    readSync(descriptor, buffer, 0, buffer.length, start);
    const lines = buffer
      .toString('utf8')
      .split('\n')
      .filter((line) => line.trim() !== '');
    return lines.slice(-max);
  } catch {
    return [];
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
