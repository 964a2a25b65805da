import { createRestarts } from '../../../src/supervision/restarts';

const exit = (code: number, upMs?: number) => ({ code, signal: null, upMs });
const killed = (upMs?: number) => ({ code: null, signal: 'SIGABRT' as const, upMs });

test('an orderly end, and a first start that fails, are not followed by another start', () => {
  expect(createRestarts().next(exit(0, 5_000))).toBeUndefined();
  expect(createRestarts().next(exit(1))).toBeUndefined();
});

test('an exit code after it had come up is, and so is a signal at any time', () => {
  expect(createRestarts().next(exit(1, 5_000))).toBe(250);
  expect(createRestarts().next(killed(5_000))).toBe(250);
  expect(createRestarts().next(killed())).toBe(250);
});

test('pauses grow up to a bound for as long as it comes up and ends again, and begin anew after a minute that went well', () => {
  const restarts = createRestarts();
  const pauses = Array.from({ length: 30 }, () => restarts.next(killed(1_000)));
  expect(pauses.slice(0, 7)).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 10_000]);
  expect(new Set(pauses.slice(7))).toEqual(new Set([10_000]));
  expect(restarts.next(killed(60_000))).toBe(250);
});

test('starts that do not come up are given up after the fifth in a row', () => {
  const restarts = createRestarts();
  restarts.next(killed(1_000));
  expect([1, 2, 3, 4, 5].map(() => restarts.next(exit(1)) !== undefined)).toEqual([
    true,
    true,
    true,
    true,
    false,
  ]);

  const others = createRestarts();
  others.next(killed(1_000));
  const upOnce = [exit(1), exit(1), exit(1), killed(1_000), exit(1), exit(1), exit(1), exit(1)];
  expect(upOnce.map((ending) => others.next(ending))).not.toContain(undefined);
});
