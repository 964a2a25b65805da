import { setImmediate as nextTurn } from 'node:timers/promises';

/** To read a long text takes a millisecond, and there may be hundreds: others get their turn after this long. */
const LONGEST_TURN_MS = 5;

/** For work in small pieces: a function to be waited for before each, which lets others have their turn when it is time. */
export function takeTurns(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began <= LONGEST_TURN_MS) return;
    await nextTurn();
    began = performance.now();
  };
}
