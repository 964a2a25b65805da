import { isBusy } from './run-errors';

/** After a lost connection: the server is asked again at once, as callers wait. Milliseconds. */
const LOST_MS = 200;
/** After the server refused to let one more request wait: twice as long each time. Milliseconds. */
const BUSY_FIRST_MS = 400;
const BUSY_MAX_MS = 10_000;

/**
 * Milliseconds until a wait for a run is begun again, by the errors it has met. A server with too many waiting requests is asked
 * less and less often, and not by all at the same moment.
 * @param random from 0 to 1
 */
export function waitDelays(random: () => number = Math.random): (error: unknown) => number {
  let refusals = 0;
  return (error) => {
    if (!isBusy(error)) {
      refusals = 0;
      return LOST_MS;
    }
    const longest = Math.min(BUSY_FIRST_MS * 2 ** refusals, BUSY_MAX_MS);
    refusals += 1;
    return longest * (0.5 + random() / 2);
  };
}
