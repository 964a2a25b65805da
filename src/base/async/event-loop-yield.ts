import { setImmediate as nextIteration } from 'node:timers/promises';

/** Reading a long text takes a millisecond, and there may be hundreds: after this long other work gets the event loop. */
const MAX_STRETCH_MS = 5;

/** For work in small pieces: returns a function to await before each piece, which yields the event loop when it is time. */
export function yieldingNowAndThen(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began <= MAX_STRETCH_MS) return;
    await nextIteration();
    began = performance.now();
  };
}
