import { setImmediate as nextIteration } from 'node:timers/promises';

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
