import { closeSync, fstatSync, openSync, readSync, statSync, truncateSync } from 'node:fs';

const MAX_BYTES = 10 * 1024 * 1024;
const TAIL_BYTES = 8 * 1024;
const CHECK_EVERY_MS = 60_000;

/** Empties the log when it has grown too big. Whoever appends to it goes on at the new end. */
export function boundLog(path: string, maxBytes = MAX_BYTES): void {
  if (logSize(path) > maxBytes) truncateSync(path, 0);
}

/**
 * Keeps the log of a running server bounded.
 *
 * @returns stops the watching
 */
export function keepLogBounded(path: string): () => void {
  const timer = setInterval(() => boundLog(path), CHECK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

export function logSize(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}

/** Up to `most` last lines that were written after byte `from`. */
export function lastLines(path: string, most: number, from = 0): string[] {
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
    return lines.slice(-most);
  } catch {
    return [];
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
