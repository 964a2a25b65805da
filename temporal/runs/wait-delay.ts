import { isBusy } from './run-errors';

/** Delay after a lost connection, ms. It is short because callers wait. */
const LOST_MS = 200;
/** Delay after the server first refused a waiting request, ms. It doubles with each further refusal. */
const BUSY_FIRST_MS = 400;
const BUSY_MAX_MS = 10_000;

/**
 * Creates a function that returns how long to wait after an error before the wait for a run is repeated, ms. The
 * delays grow while the server has too many waiting requests, and are random, so that not all callers repeat at the
 * same moment.
 * @param random returns a number from 0 to 1
 */
export function createWaitDelays(random: () => number = Math.random): (error: unknown) => number {
  let refusals = 0;
  return (error) => {
    if (!isBusy(error)) {
      refusals = 0;
      return LOST_MS;
    }
    const maxMs = Math.min(BUSY_FIRST_MS * 2 ** refusals, BUSY_MAX_MS);
    refusals += 1;
    return maxMs * (0.5 + random() / 2);
  };
}
