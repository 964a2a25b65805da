import fc from 'fast-check';
import { createCalculator } from '../../../../src/tools/builtin/calculator';
import { rejection } from '../../egress/cleanup';
import { toolContext } from './context';

const calculator = createCalculator();
const calculate = (operation: string, a: unknown, b: unknown): Promise<unknown> =>
  calculator.run({ operation, a, b }, toolContext()).then(({ value }) => value);

test.each([
  ['add', 2, 3, 5],
  ['subtract', 2, 3, -1],
  ['multiply', -4, 2.5, -10],
  ['divide', 7, 2, 3.5],
  ['divide', 0, 5, 0],
])('%s %d and %d', async (operation, a, b, expected) => {
  expect(await calculate(operation, a, b)).toBe(expected);
});

test.each([0, -0])('division by %d is an error', async (b) => {
  expect(await rejection(calculate('divide', 1, b))).toMatchObject({
    code: 'TOOL_EXECUTION_FAILED',
    message: 'Division by zero',
    retryable: false,
  });
});

test.each([
  ['multiply', 1e308, 10],
  ['add', Number.MAX_VALUE, Number.MAX_VALUE],
  ['divide', 1e308, 1e-10],
])('%s of %d and %d is too large', async (operation, a, b) => {
  expect(await rejection(calculate(operation, a, b))).toMatchObject({
    code: 'TOOL_EXECUTION_FAILED',
    message: expect.stringContaining('too large') as unknown,
  });
});

test.each([
  ['power', 1, 2, 'args.operation'],
  ['toString', 1, 2, 'args.operation'],
  ['add', '1', 2, 'args.a'],
  ['add', 1, Number.NaN, 'args.b'],
  ['add', 1, undefined, 'args.b'],
])('%s of %p and %p is a validation error', async (operation, a, b, field) => {
  expect(await rejection(calculate(operation, a, b))).toMatchObject({
    code: 'VALIDATION',
    details: { field },
  });
});

test('every result is a number that JSON can carry', async () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true });
  const operation = fc.constantFrom('add', 'subtract', 'multiply', 'divide');
  await fc.assert(
    fc.asyncProperty(operation, number, number, async (name, a, b) => {
      const result = await calculate(name, a, b).catch((error: unknown) => error);
      if (typeof result === 'number') expect(Number.isFinite(result)).toBe(true);
      else expect(result).toMatchObject({ code: 'TOOL_EXECUTION_FAILED' });
    }),
  );
});
