import fc from 'fast-check';
import {
  activityKeys,
  MINUTE_MS,
  windowKeys,
  WINDOWS,
  type Window,
} from '../../../src/intent/statistics/intent-statistics';

const moment = fc
  .integer({ min: 0, max: 60 * 24 * 400 })
  .map((minute) => 1_790_000_000_000 + minute * MINUTE_MS);
const windows = Object.keys(WINDOWS) as Window[];

/** The minutes that the keys of a window cover. */
function minutesOf(keys: readonly string[]): number[] {
  return keys.flatMap((key) => {
    const number = Number(key.slice(1));
    return key.startsWith('m') ? [number] : Array.from({ length: 60 }, (_, minute) => number * 60 + minute);
  });
}

describe.each(windows)('the window %s', (window) => {
  it('covers each of its minutes once and no other', () => {
    fc.assert(
      fc.property(moment, (now) => {
        const last = Math.floor(now / MINUTE_MS);
        const expected = Array.from({ length: WINDOWS[window] }, (_, back) => last - back).reverse();
        expect(minutesOf(windowKeys(window, now)).join()).toBe(expected.join());
      }),
      { numRuns: 40 },
    );
  });

  it('takes few keys', () => {
    fc.assert(fc.property(moment, (now) => expect(windowKeys(window, now).length).toBeLessThanOrEqual(286)));
  });

  it('has what happens now, and lets go of it when its time is over', () => {
    fc.assert(
      fc.property(moment, (now) => {
        const counted = (later: number): number =>
          activityKeys(now).filter((key) => windowKeys(window, later).includes(key)).length;
        const end = now + WINDOWS[window] * MINUTE_MS;
        expect(counted(now)).toBe(1);
        expect(counted(end - MINUTE_MS)).toBe(1);
        // The current hour may be in the next window, but never in one that begins after it.
        expect(windowKeys(window, end)).not.toContain(activityKeys(now)[0]);
      }),
    );
  });
});
