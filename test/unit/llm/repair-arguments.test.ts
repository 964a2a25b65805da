import { repairArguments } from '../../../src/llm/openai/repair-arguments';

const SCHEMA = {
  type: 'object',
  properties: {
    count: { type: 'integer' },
    ratio: { type: ['number', 'null'] },
    name: { type: 'string' },
    any: {},
    size: { enum: [1, 2] },
    either: { anyOf: [{ type: 'number' }, { type: 'boolean' }] },
    open: { anyOf: [{ type: 'number' }, { type: 'string' }] },
    place: { $ref: '#/$defs/place' },
    places: { type: 'array', items: { $ref: '#/$defs/place' } },
  },
  required: ['name'],
  $defs: {
    place: {
      type: 'object',
      properties: { x: { type: 'number' }, inner: { $ref: '#/$defs/place' } },
      required: ['x'],
    },
  },
};

test.each<[string, object, object]>([
  ['a whole number', { count: '3' }, { count: 3 }],
  ['no whole number', { count: '3.5' }, { count: '3.5' }],
  ['a name that looks like a number', { name: '7' }, { name: '7' }],
  ['a value of any kind', { any: '7' }, { any: '7' }],
  ['one of some numbers', { size: '2' }, { size: 2 }],
  ['a truth value', { either: 'False' }, { either: false }],
  ['what may be text', { open: '7' }, { open: '7' }],
  [
    'an object, and what is in it',
    { place: '{"x":"1","inner":{"x":"2"}}' },
    { place: { x: 1, inner: { x: 2 } } },
  ],
  ['a list, and what is in it', { places: '[{"x":"1"}]' }, { places: [{ x: 1 }] }],
  ['text that is no JSON', { places: 'here' }, { places: 'here' }],
  ['null for what is left out', { count: null, name: null, ratio: null }, { name: null, ratio: null }],
  ['an undeclared name', { other: '7', constructor: null }, { other: '7', constructor: null }],
])('%s', (_name, args, repaired) => {
  expect(repairArguments(args as Record<string, unknown>, SCHEMA)).toEqual(repaired);
});

test('what wraps the arguments is taken off, unless it is an argument', () => {
  expect(repairArguments('{"input":"{\\"count\\":\\"3\\"}"}', SCHEMA)).toEqual({ count: 3 });
  const own = { type: 'object', properties: { input: { type: 'object' } } };
  expect(repairArguments('{"input":{"count":"3"}}', own)).toEqual({ input: { count: '3' } });
});

test.each(['[1]', '"text"', '{"a":', '7'])('%s is no arguments', (args) => {
  expect(repairArguments(args, SCHEMA)).toBe('are not a JSON object');
});

test('a schema that refers to itself without an end is left alone', () => {
  const schema = {
    type: 'object',
    properties: { a: { $ref: '#/$defs/a' } },
    $defs: { a: { $ref: '#/$defs/a' } },
  };
  expect(repairArguments('{"a":"1"}', schema)).toEqual({ a: '1' });
});

test('a schema that refers to itself in many ways takes no time', () => {
  const again = { $ref: '#/$defs/a' };
  const schema = {
    type: 'object',
    properties: { value: again },
    $defs: { a: { anyOf: Array.from({ length: 10 }, () => again) } },
  };
  const before = performance.now();
  expect(repairArguments({ value: '5' }, schema)).toEqual({ value: '5' });
  expect(performance.now() - before).toBeLessThan(1_000);
});

test('an integer keeps its digits, and is no number where the schema has one', () => {
  const args = '{"name":7615917337495251231,"count":7615917337495251231,"any":{"id":-9007199254740993}}';
  expect(repairArguments(args, SCHEMA)).toEqual({
    name: '7615917337495251231',
    count: '7615917337495251231',
    any: { id: '-9007199254740993' },
  });
});

test('lone surrogates are replaced', () => {
  expect(repairArguments(String.raw`{"name":"a\ud83d","any":"\ud83d\ude00"}`, SCHEMA)).toEqual({
    name: 'a\ufffd',
    any: '😀',
  });
});
