import { setImmediate as nextIteration } from 'node:timers/promises';

/**
 * Work in small pieces yields the event loop after this long: one long text takes a millisecond, and there may be
 * hundreds.
 */
const MAX_STRETCH_MS = 5;

/** Parsing, writing or digesting this much text at once takes milliseconds of the event loop, bytes. */
export const LARGE_PIECE_BYTES = 262_144;

/**
 * Lets one piece of work on a large value begin in each iteration of the event loop of this process for all callers. Each
 * such piece takes up to a few hundred milliseconds, and many would otherwise follow each other without a pause.
 */
export const nextLargePiece = oneAnIteration();

/**
 * Returns a function that lets one caller continue in each iteration of the event loop, in the order in which they asked. Work that
 * begins at once for many callers would otherwise keep timers and other requests waiting until all of it is done.
 */
export function oneAnIteration(): () => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  return async () => {
    last = last.then(() => nextIteration());
    await last;
  };
}

/** Returns a function to await before each piece of a long work. It yields the event loop whenever 5 ms have passed. */
export function createYielder(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began <= MAX_STRETCH_MS) return;
    await nextIteration();
    began = performance.now();
  };
}
