import { setImmediate as nextIteration } from 'node:timers/promises';

/**
 * Work in small pieces yields the event loop after this long: one long text takes a millisecond, and there may be
 * hundreds.
 */
const MAX_STRETCH_MS = 5;

/** Returns a function to await before each piece of a long work. It yields the event loop whenever 5 ms have passed. */
export function createYielder(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began <= MAX_STRETCH_MS) return;
    await nextIteration();
    began = performance.now();
  };
}
