import { existsSync } from 'node:fs';
import { makeBenchFolder, unwinding, Unwinding } from '../../../bench/unwinding';

test('what was started is taken down once, the last first, and with what comes meanwhile', async () => {
  const started = new Unwinding();
  const order: string[] = [];
  const taking = (name: string) => () => Promise.resolve(void order.push(name));
  started.add(taking('first'));
  const stop = started.add(taking('ended in order'));
  await stop();
  started.add(async () => {
    await taking('last')();
    expect(started.signal.aborted).toBe(true);
    started.add(taking('meanwhile'));
  });
  expect(started.signal.aborted).toBe(false);
  await started.unwind();
  await stop();
  expect(order).toEqual(['ended in order', 'last', 'meanwhile', 'first']);
});

test('one that cannot be taken down keeps none of the others', async () => {
  const started = new Unwinding();
  const printed = jest.spyOn(console, 'error').mockImplementation();
  const first = jest.fn(() => Promise.resolve());
  started.add(first);
  started.add(() => Promise.reject(new Error('stuck')));
  await started.unwind();
  expect(first).toHaveBeenCalledTimes(1);
  expect(printed.mock.calls).toEqual([[expect.objectContaining({ message: 'stuck' })]]);
  printed.mockRestore();
});

test('the folder of a bench goes with it', async () => {
  const folder = makeBenchFolder();
  expect(existsSync(folder)).toBe(true);
  await unwinding.unwind();
  expect(existsSync(folder)).toBe(false);
});
