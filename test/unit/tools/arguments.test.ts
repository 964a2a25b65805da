import fc from 'fast-check';
import type { ToolParameter, ToolParameters } from '../../../src/contracts/http/tools';
import { checkArguments, type CheckArgumentsOptions } from '../../../src/tools/arguments';
import { normaliseParameters } from '../../../src/tools/parameters';
import { anyParameters } from './arbitraries';

/** The details of the error of the check; undefined where the check passes. */
function problem(
  parameters: ToolParameters,
  args: unknown,
  prefix?: string,
  options?: CheckArgumentsOptions,
): { field: string; message: string } | undefined {
  try {
    checkArguments(parameters, args, prefix, options);
    return undefined;
  } catch (error) {
    const { code, details } = error as { code: string; details: { field: string; message: string } };
    expect(code).toBe('VALIDATION');
    return details;
  }
}

const parameters = normaliseParameters({
  text: 'string',
  count: { type: 'integer', required: false },
  size: { type: 'number', required: false },
  flag: { type: 'boolean', required: false },
  map: { type: 'object', required: false },
  list: { type: 'array', required: false },
  more: { type: 'any', required: false },
  unit: { type: 'string', enum: ['C', 'F'], required: false },
});

test.each([
  [{ text: '' }],
  [{ text: 'x', count: 3, size: -1.5, flag: false, map: {}, list: [], more: null, unit: 'F' }],
  [{ text: 'x', more: [1, { a: 2 }] }],
  [{ text: 'x', count: undefined }],
])('%j is fine', (args) => {
  expect(problem(parameters, args)).toBeUndefined();
});

test.each<[unknown, string, RegExp]>([
  [null, 'args', /must be an object, got null/],
  [undefined, 'args', /must be an object, got undefined/],
  [[], 'args', /must be an object, got an array/],
  ['x', 'args', /must be an object, got a string/],
  [{}, 'args.text', /is required \(string\)/],
  [{ text: undefined }, 'args.text', /is required/],
  [{ text: null }, 'args.text', /must be a string, got null/],
  [{ text: 5 }, 'args.text', /must be a string, got the number 5/],
  [{ text: 'x', count: 1.5 }, 'args.count', /must be an integer, got the number 1.5/],
  [{ text: 'x', count: '1' }, 'args.count', /must be an integer, got a string/],
  [{ text: 'x', size: Number.NaN }, 'args.size', /must be a finite number, got the number NaN/],
  [
    { text: 'x', size: Number.POSITIVE_INFINITY },
    'args.size',
    /must be a finite number, got the number Infinity/,
  ],
  [{ text: 'x', more: Number.NaN }, 'args.more', /must be a JSON value, got the number NaN/],
  [{ text: 'x', flag: 'true' }, 'args.flag', /must be a boolean, got a string/],
  [{ text: 'x', map: [] }, 'args.map', /must be an object, got an array/],
  [{ text: 'x', list: {} }, 'args.list', /must be an array, got an object/],
  [{ text: 'x', unit: 'K' }, 'args.unit', /must be one of C, F; got "K"/],
  [{ text: 'x', txt: 'y' }, 'args.txt', /is not an argument of this tool; it takes text, count, size/],
  [JSON.parse('{"text":"x","__proto__":1}'), 'args.__proto__', /is not an argument/],
  [{ text: 'x', constructor: 1 }, 'args.constructor', /is not an argument/],
])('%j is refused', (args, field, message) => {
  const details = problem(parameters, args);
  expect(details?.field).toBe(field);
  expect(details?.message).toMatch(message);
});

test('what an object inherits is neither an argument nor a declaration', () => {
  expect(problem(normaliseParameters({ toString: 'any' }), {})?.field).toBe('args.toString');
  expect(problem(parameters, { text: 'x', toString: 'y' })?.field).toBe('args.toString');
  expect(problem(parameters, Object.create({ text: 'x' }))?.field).toBe('args.text');
});

test('a tool without declared parameters takes what it is given, in an object', () => {
  expect(problem({}, { anything: [1], 'at all': null })).toBeUndefined();
  expect(problem({}, [1])?.field).toBe('args');
});

test('the field begins as the request does', () => {
  expect(problem(parameters, {}, 'tools[1].args')?.field).toBe('tools[1].args.text');
});

test('a value that is skipped may be of any type, and does count as present', () => {
  const skip = (value: unknown): boolean => typeof value === 'string' && value.includes('{{');
  const args = { text: 'x', count: '{{previous_result}}', unit: '{{input.unit}}' };
  expect(problem(parameters, args, 'args', { skip })).toBeUndefined();
  expect(problem(parameters, { ...args, size: 'big' }, 'args', { skip })?.field).toBe('args.size');
  expect(problem(parameters, { count: '{{x}}' }, 'args', { skip })?.field).toBe('args.text');
  expect(problem(parameters, { text: 'x', other: '{{x}}' }, 'args', { skip })?.field).toBe('args.other');
});

test('a long name or value is not repeated in full', () => {
  const long = 'x'.repeat(10_000);
  const unknown = problem(parameters, { text: 'x', [long]: 1 });
  const choice = problem(parameters, { text: 'x', unit: long });
  expect(JSON.stringify([unknown, choice]).length).toBeLessThan(600);
});

/** A value of the declared type. */
function fitting({ type, enum: choices }: ToolParameter): fc.Arbitrary<unknown> {
  if (choices) return fc.constantFrom(...choices);
  switch (type) {
    case 'string':
      return fc.string();
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'integer':
      return fc.integer();
    case 'boolean':
      return fc.boolean();
    case 'object':
      return fc.dictionary(fc.string(), fc.jsonValue());
    case 'array':
      return fc.array(fc.jsonValue());
    case 'any':
      return fc.jsonValue();
  }
}

const call = anyParameters.chain((declared) =>
  fc.record({
    declared: fc.constant(declared),
    args: fc.record(
      Object.fromEntries(Object.entries(declared).map(([name, parameter]) => [name, fitting(parameter)])),
      { requiredKeys: Object.keys(declared).filter((name) => declared[name]?.required) },
    ),
  }),
);

test('arguments of the declared types pass', () => {
  fc.assert(
    fc.property(call, ({ declared, args }) => {
      expect(problem(declared, args)).toBeUndefined();
    }),
  );
});

test('without a required argument they do not, and the error names it', () => {
  fc.assert(
    fc.property(call, fc.nat(), ({ declared, args }, pick) => {
      const required = Object.keys(declared).filter((name) => declared[name]?.required);
      const name = required[pick % Math.max(1, required.length)];
      fc.pre(name !== undefined);
      const { [name]: _, ...others } = args as Record<string, unknown>;
      expect(problem(declared, others)?.field).toBe(`args.${name}`);
    }),
  );
});

test('whatever comes, it passes or is a validation error', () => {
  fc.assert(
    fc.property(
      anyParameters,
      fc.anything({ withBigInt: true, withNullPrototype: true }),
      (declared, args) => {
        problem(declared, args);
      },
    ),
  );
});
