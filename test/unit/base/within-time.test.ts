import { withinTime } from '../../../src/base/async/time-limit';

const NEVER = new Promise<never>(() => undefined);

test('a limit that has passed already is late at once, and the process warns of nothing', async () => {
  const warnings: unknown[] = [];
  const note = (warning: Error): void => void warnings.push(warning.name);
  process.on('warning', note);
  expect(await withinTime(NEVER, -50, () => 'late')).toBe('late');
  // Node.js emits a warning in a later turn of the event loop.
  await new Promise((done) => setImmediate(done));
  process.off('warning', note);
  expect(warnings).toEqual([]);
});
