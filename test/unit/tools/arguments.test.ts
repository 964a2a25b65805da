import fc from 'fast-check';
import type { JsonSchema, ToolParameter } from '../../../src/contracts/http/tools';
import { toInputSchema } from '../../../src/contracts/http/tool-schemas';
import { checkedArguments, type PartlyKnown } from '../../../src/tools/argument-problems';
import { readInputSchema } from '../../../src/tools/parameters';
import { argumentChecks, callChecks } from '../../support/argument-checks';
import { anyParameters } from './arbitraries';

interface Details {
  readonly field: string;
  readonly message: string;
  readonly problems: readonly { readonly pointer: string; readonly message: string }[];
}

/** The details of the error of the check; undefined if the check passes. */
async function problem(
  inputSchema: JsonSchema,
  args: object,
  prefix?: string,
  options?: PartlyKnown,
): Promise<Details | undefined> {
  const { check, signal } = callChecks;
  try {
    await checkedArguments(check, { name: 't', inputSchema }, { ...args }, signal, prefix, options);
    return undefined;
  } catch (error) {
    const { code, details } = error as { code: string; details: Details };
    expect(code).toBe('VALIDATION');
    return details;
  }
}

const parameters = readInputSchema({
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
])('%j is fine', async (args) => {
  expect(await problem(parameters, args)).toBeUndefined();
});

test.each<[object, string, RegExp]>([
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
  [
    { text: 'x', count: '7615917337495251231' },
    'args.count',
    /must be an integer, got a text, because a number of this size cannot be held exactly/,
  ],
  [
    { text: 'x', size: '1e400' },
    'args.size',
    /must be a finite number, got a text, because a number of this size/,
  ],
  [{ text: 'x', more: Number.NaN }, 'args.more', /must be a finite number, got the number NaN/],
  [{ text: 'x', flag: 'true' }, 'args.flag', /must be a boolean, got a string/],
  [{ text: 'x', map: [] }, 'args.map', /must be an object, got an array/],
  [{ text: 'x', list: {} }, 'args.list', /must be an array, got an object/],
  [{ text: 'x', unit: 'K' }, 'args.unit', /must be one of C, F; got "K"/],
  [{ text: 'x', txt: 'y' }, 'args.txt', /is not an argument of this tool; it takes text, count, size/],
  [JSON.parse('{"text":"x","__proto__":1}'), 'args.__proto__', /is not an argument/],
  [{ text: 'x', constructor: 1 }, 'args.constructor', /is not an argument/],
])('%j is refused', async (args, field, message) => {
  const details = await problem(parameters, args);
  expect(details?.field).toBe(field);
  expect(details?.message).toMatch(message);
});

test('what an object inherits is neither an argument nor a declaration', async () => {
  expect((await problem(readInputSchema({ toString: 'any' }), {}))?.field).toBe('args.toString');
  expect((await problem(parameters, { text: 'x', toString: 'y' }))?.field).toBe('args.toString');
});

test('a tool without declared parameters takes what it is given', async () => {
  expect(await problem({}, { anything: [1], 'at all': null })).toBeUndefined();
  expect(await problem(readInputSchema({}), { anything: [1] })).toBeUndefined();
});

test('the field begins as the request does', async () => {
  expect((await problem(parameters, {}, 'tools[1].args'))?.field).toBe('tools[1].args.text');
});

test('every place is named at once, in the order of the schema, as pointers into the request', async () => {
  const schema = {
    type: 'object',
    properties: {
      position: {
        type: 'object',
        properties: { x: { type: 'number' }, 'a/b~c': { type: 'boolean' } },
        required: ['x', 'y'],
        additionalProperties: false,
      },
      tags: { type: 'array', items: { type: 'string' } },
      $filter: { enum: [1, 'two', null] },
    },
  };
  const args = { other: 1, $filter: 3, tags: ['a', 7], position: { x: '3', z: 1, 'a/b~c': 0 } };
  expect(await problem(schema, args)).toEqual({
    field: 'args.position.y',
    message: 'is required (any)',
    problems: [
      { pointer: '/args/position/y', message: 'is required (any)' },
      { pointer: '/args/position/z', message: 'is not expected here; there are x, a/b~c' },
      { pointer: '/args/position/x', message: 'must be a finite number, got a string' },
      { pointer: '/args/position/a~1b~0c', message: 'must be a boolean, got the number 0' },
      { pointer: '/args/tags/1', message: 'must be a string, got the number 7' },
      { pointer: '/args/$filter', message: 'must be one of 1, two, null; got the number 3' },
      {
        pointer: '/args/other',
        message: 'is not an argument of this tool; it takes position, tags, $filter',
      },
    ],
  });
});

test('a combination of schemas is one problem, and refers to schemas within the document', async () => {
  const schema = {
    $defs: { by: { type: 'string', format: 'date' } },
    type: 'object',
    properties: { at: { $ref: '#/$defs/by' }, who: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
    anyOf: [{ required: ['at'] }, { required: ['who'] }],
  };
  const pointers = async (args: object) => (await problem(schema, args))?.problems;
  expect(await pointers({ at: '2026-01-02', extra: 1 })).toBeUndefined();
  expect(await pointers({ at: 'soon', who: 5 })).toEqual([
    { pointer: '/args/at', message: 'must match format "date"' },
    {
      pointer: '/args/who',
      message:
        'fits none of the 2 forms of anyOf: must be a string, got the number 5; must be null, got the number 5',
    },
  ]);
  expect(await pointers({})).toEqual([
    {
      pointer: '/args',
      message: 'fits none of the 2 forms of anyOf: /at is required (any); /who is required (any)',
    },
  ]);
});

test.each([
  ['additionalProperties', { additionalProperties: { type: 'number' } }, { a: 'x', b: 1 }],
  ['patternProperties', { patternProperties: { '^b': {} } }, { a: 'x', b: 1 }],
  ['allOf', { allOf: [{ properties: { b: {} } }] }, { a: 'x', b: 1 }],
  ['$ref', { $ref: '#/$defs/b', $defs: { b: {} } }, { a: 'x', b: 1 }],
  ['no properties', { properties: {} }, { b: 1 }],
])('a root with %s says itself what else it takes', async (_, more, args) => {
  expect(
    await problem({ type: 'object', properties: { a: { type: 'string' } }, ...more }, args),
  ).toBeUndefined();
});

test("defaults are filled in, nothing is converted, and the caller's value stays", async () => {
  const inputSchema = {
    type: 'object',
    properties: {
      units: { type: 'string', default: 'metric' },
      at: { type: 'object', properties: { x: { type: 'number', default: 1 } } },
    },
    required: ['units'],
  };
  const { check, signal } = callChecks;
  const args = { at: {} };
  expect(await check({ name: 't', inputSchema }, args, signal)).toEqual({
    args: { units: 'metric', at: { x: 1 } },
  });
  expect(args).toEqual({ at: {} });
  expect(await problem(inputSchema, { at: { x: '1' } })).toMatchObject({ field: 'args.at.x' });
});

test('arguments with very many mistakes are answered in time in proportion to their number', async () => {
  const wide = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`p${at}`, at]));
  expect((await problem(parameters, { text: 1, ...wide }))?.problems).toHaveLength(20);
});

test('names that objects inherit harm nothing', async () => {
  const schema = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"object","properties":{"x":{"default":1}}},"constructor":{"type":"string"}}}',
  ) as JsonSchema;
  const { check, signal } = callChecks;
  const tool = { name: 't', inputSchema: schema };
  expect(await check(tool, {}, signal)).toEqual({ args: {} });
  expect(await check(tool, { constructor: 1 }, signal)).toMatchObject({
    problems: [{ pointer: '/constructor' }],
  });
  const args = JSON.parse('{"__proto__":{}}') as Record<string, unknown>;
  expect(await check(tool, args, signal)).toMatchObject({ problems: [{ pointer: '/__proto__' }] });
  expect(({} as Record<string, unknown>)['x']).toBeUndefined();
});

describe('a value that is not known yet', () => {
  const skip = (value: unknown): boolean => JSON.stringify(value ?? null).includes('{{');
  const field = async (schema: JsonSchema, args: object): Promise<string | undefined> =>
    (await problem(schema, args, 'args', { skip }))?.field;

  test('may be of any type, and does count as present', async () => {
    const args = { text: 'x', count: '{{previous_result}}', unit: '{{input.unit}}' };
    expect(await field(parameters, args)).toBeUndefined();
    expect(await field(parameters, { ...args, size: 'big' })).toBe('args.size');
    expect(await field(parameters, { count: '{{x}}' })).toBe('args.text');
    expect(await field(parameters, { text: 'x', other: '{{x}}' })).toBe('args.other');
  });

  test('does not hide what is known beside it, at any depth', async () => {
    const point = { type: 'object', properties: { x: { type: 'number' }, y: { type: 'number' } } };
    const schema = { properties: { points: { type: 'array', items: point, maxItems: 1 } } };
    expect(await field(schema, { points: [{ x: '{{a}}', y: 1 }] })).toBeUndefined();
    expect(await field(schema, { points: [{ x: '{{a}}', y: 'b' }] })).toBe('args.points[0].y');
  });

  test('may be the name of a property, which leaves open what its object has', async () => {
    const point = { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] };
    const schema = {
      properties: {
        point: { ...point, additionalProperties: false },
        open: { ...point, unevaluatedProperties: false },
        map: { additionalProperties: { type: 'string' } },
      },
      required: ['point'],
      additionalProperties: false,
    };
    expect(await field(schema, { '{{a.k}}': { x: 1 } })).toBeUndefined();
    expect(await field(schema, { point: { '{{a.k}}': 1 }, open: { '{{a.k}} {{b}}': 1 } })).toBeUndefined();
    expect(await field(schema, { point: { x: 1 }, map: { '{{a.k}}': { y: 1 } } })).toBeUndefined();
    expect(await field(schema, { [`{{a.${'k'.repeat(300)}}}`]: 1 })).toBeUndefined();
    // What is wrong elsewhere is known.
    expect(await field(schema, { point: { '{{a.k}}': 1, x: 'b' } })).toBe('args.point.x');
    expect(await field(schema, { point: { '{{a.k}}': 1 }, other: 1 })).toBe('args.other');
    expect(await field(schema, { '{{a.k}}': 1, point: {} })).toBe('args.point.x');
    expect((await problem(schema, { '{{a.k}}': 1 }))?.problems).toHaveLength(2);
  });

  test('leaves open which schema of a combination holds', async () => {
    const schema = {
      properties: { kind: {}, size: {}, name: {} },
      if: { properties: { kind: { const: 'box' } } },
      then: { required: ['size'] },
      else: { required: ['name'] },
    };
    expect(await field(schema, { kind: '{{a}}' })).toBeUndefined();
    expect(await field(schema, { kind: 'box' })).toBe('args.size');
  });
});

test('a built-in tool is checked in place by what it declares, and as any other under another schema', async () => {
  const check = argumentChecks.of({ tenant: 'default' });
  const tool = { name: 'calculator', inputSchema: { properties: { a: { type: 'string' } } } };
  expect(await check(tool, { a: 1 }, callChecks.signal)).toMatchObject({ problems: [{ pointer: '/a' }] });
});

test('a long name or value is not repeated in full', async () => {
  const long = 'x'.repeat(10_000);
  const unknown = await problem(parameters, { text: 'x', [long]: 1 });
  const choice = await problem(parameters, { text: 'x', unit: long });
  expect(JSON.stringify([unknown, choice]).length).toBeLessThan(1_500);
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

test('arguments of the declared types pass', async () => {
  await fc.assert(
    fc.asyncProperty(call, async ({ declared, args }) => {
      expect(await problem(toInputSchema(declared), args)).toBeUndefined();
    }),
    { numRuns: 50 },
  );
});

test('without a required argument they do not, and the error names it', async () => {
  await fc.assert(
    fc.asyncProperty(call, fc.nat(), async ({ declared, args }, pick) => {
      const required = Object.keys(declared).filter((name) => declared[name]?.required);
      const name = required[pick % Math.max(1, required.length)];
      fc.pre(name !== undefined);
      const { [name]: _, ...others } = args as Record<string, unknown>;
      const details = await problem(toInputSchema(declared), others);
      expect(details?.problems.map(({ pointer }) => pointer)).toEqual([`/args/${name}`]);
    }),
    { numRuns: 50 },
  );
});
