import fc from 'fast-check';
import { parametersOf, toInputSchema } from '../../../src/contracts/http/tool-schemas';
import { MAX_PARAMETERS, readInputSchema, toDefinition, toTypeNames } from '../../../src/tools/parameters';
import { anyParameters } from './arbitraries';

/** The details of the validation error of a declaration. */
function refusal(raw: unknown): { field: string; message: string } {
  try {
    readInputSchema(raw);
  } catch (error) {
    const { code, details } = error as { code: string; details: { field: string; message: string } };
    expect(code).toBe('VALIDATION');
    return details;
  }
  throw new Error('expected a refusal');
}

const deep = (levels: number): object => (levels === 0 ? {} : { not: deep(levels - 1) });

describe('readInputSchema', () => {
  test.each([undefined, {}])('%j are no parameters', (raw) => {
    expect(readInputSchema(raw)).toEqual({ type: 'object', properties: {}, required: [] });
  });

  test('a name map is a short way to write a schema', () => {
    expect(
      readInputSchema({
        a: 'number',
        b: 'any',
        list: 'array',
        unit: { type: 'string', description: 'Which', enum: ['C', 'F'], required: false },
        $filter: { type: 'string', default: 'all' },
        'fields[]': { type: 'integer', default: 1, required: true },
      }),
    ).toEqual({
      type: 'object',
      properties: {
        a: { type: 'number', description: '' },
        b: { description: '' },
        list: { type: 'array', items: {}, description: '' },
        unit: { type: 'string', description: 'Which', enum: ['C', 'F'] },
        $filter: { type: 'string', description: '', default: 'all' },
        'fields[]': { type: 'integer', description: '', default: 1 },
      },
      required: ['a', 'b', 'list', 'fields[]'],
    });
  });

  test.each<[string, object]>([
    ['the plain one of an object', { type: 'object' }],
    ['a closed one', { type: 'object', additionalProperties: false }],
    [
      'one with choices that are no texts',
      { type: 'object', properties: { n: { type: 'integer', enum: [1, 2] } } },
    ],
    ['one with any names', { type: 'object', properties: { $filter: {}, 'fields[]': {}, 'user.id': {} } }],
    ['one that says what else it takes', { type: 'object', additionalProperties: { type: 'number' } }],
    ['one that combines others', { anyOf: [{ required: ['a'] }], properties: { a: {} } }],
    ['one that refers to a part of itself', { $ref: '#/$defs/a', $defs: { a: { type: 'object' } } }],
    ['one with a parameter called type', { type: 'object', properties: { type: { type: 'string' } } }],
  ])('a JSON Schema is kept as it is: %s', (_, schema) => {
    expect(readInputSchema(schema)).toEqual(schema);
  });

  test.each([
    [{ type: 'object', properties: 'object' }, ['type', 'properties']],
    [{ type: 'object', properties: { type: 'object', description: 'x' } }, ['type', 'properties']],
    [{ type: 'string' }, ['type']],
    [{ type: 'object', title: 'string' }, ['type', 'title']],
    [{ required: 'boolean', properties: 'any' }, ['required', 'properties']],
  ])('%j is a name map, whose parameters have the names of keywords', (raw, names) => {
    expect(Object.keys(toTypeNames(readInputSchema(raw)))).toEqual(names);
  });

  test('a property of a schema may say that it takes anything, as definitions do', () => {
    const schema = { type: 'object', properties: { a: { type: 'any', description: 'x' } } };
    expect(readInputSchema(schema)).toEqual({ type: 'object', properties: { a: { description: 'x' } } });
  });

  const tooMany = Object.fromEntries(
    Array.from({ length: MAX_PARAMETERS + 1 }, (_, index) => [`p${index}`, 'any']),
  );
  test.each<[unknown, string, RegExp]>([
    [null, 'parameters', /must be an object, got null/],
    [[], 'parameters', /must be an object, got array/],
    ['string', 'parameters', /must be an object, got string/],
    [tooMany, 'parameters', /at most 64 parameters, got 65/],
    [{ foo: 'strng' }, 'parameters.foo', /must be one of string, number, .*; got "strng"/],
    [{ foo: 7 }, 'parameters.foo', /type name or an object with a type, got number/],
    [{ foo: null }, 'parameters.foo', /got null/],
    [{ foo: {} }, 'parameters.foo.type', /must be one of string/],
    [{ foo: { type: 'text' } }, 'parameters.foo.type', /must be one of string/],
    [{ foo: { type: 'string', desc: 'x' } }, 'parameters.foo.desc', /is not known/],
    [{ foo: { type: 'string', required: 'yes' } }, 'parameters.foo.required', /boolean/],
    [{ foo: { type: 'string', description: 5 } }, 'parameters.foo.description', /string/],
    [{ foo: { type: 'string', description: 'x'.repeat(2_001) } }, 'parameters.foo.description', /2000/],
    [{ foo: { type: 'string', enum: [] } }, 'parameters.foo.enum', /./],
    [{ foo: { type: 'string', enum: ['a', 1] } }, 'parameters.foo.enum[1]', /string/],
    [{ foo: { type: 'number', enum: ['1'] } }, 'parameters.foo.enum', /type string only/],
    [{ '': 'string' }, 'parameters', /the name "" must have/],
    [{ ['x'.repeat(257)]: 'string' }, 'parameters', /1 to 256/],
    [JSON.parse('{"__proto__": "string"}'), 'parameters.__proto__', /no parameter may have/],
    [{ constructor: 'string' }, 'parameters.constructor', /no parameter may have/],
    [
      JSON.parse('{"type":"object","properties":{"__proto__":{}}}'),
      'parameters.properties.__proto__',
      /no parameter may have/,
    ],
    [{ type: 'array', items: {}, properties: {} }, 'parameters.type', /must be "object"/],
    [deep(65), 'parameters', /nested deeper than 64 levels/],
    [{ type: 'object', enum: Array(16_385).fill(0) }, 'parameters', /more than 16384 values/],
    [
      { type: 'object', properties: {}, description: 'x'.repeat(65_536) },
      'parameters',
      /has 65\d+ characters of JSON; at most 65536/,
    ],
  ])('%j is refused', (raw, field, message) => {
    const details = refusal(raw);
    expect(details.field).toBe(field);
    expect(details.message).toMatch(message);
  });

  test('a schema of declared parameters is kept, and viewed as these', () => {
    fc.assert(
      fc.property(anyParameters, (parameters) => {
        const schema = toInputSchema(parameters);
        expect(readInputSchema(schema)).toEqual(schema);
        expect(parametersOf(schema)).toEqual(parameters);
      }),
    );
  });

  test('whatever comes, the result is an object or a validation error', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (raw) => {
        try {
          expect(
            toDefinition({ name: '', description: '', inputSchema: readInputSchema(raw) }),
          ).toBeDefined();
        } catch (error) {
          expect(error).toMatchObject({ code: 'VALIDATION' });
        }
      }),
    );
  });
});

test('the view of a schema has of each property what a parameter has', () => {
  const schema = {
    properties: {
      city: { type: 'string', description: 'A city', minLength: 1 },
      unit: { enum: ['C', 'F'] },
      level: { type: 'integer', enum: [1, 2] },
      place: { $ref: '#/$defs/place' },
      note: { type: ['string', 'null'] },
      more: true,
    },
    required: ['city'],
  };
  expect(parametersOf(schema)).toEqual({
    city: { type: 'string', description: 'A city', required: true },
    unit: { type: 'string', description: '', enum: ['C', 'F'], required: false },
    level: { type: 'integer', description: '', required: false },
    place: { type: 'any', description: '', required: false },
    note: { type: 'any', description: '', required: false },
    more: { type: 'any', description: '', required: false },
  });
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`p${at}`, {}]));
  expect(Object.keys(parametersOf({ properties: many }))).toHaveLength(64);
});

describe('toDefinition', () => {
  const define = (inputSchema: object) =>
    toDefinition({ name: 'weather', description: 'Tells it', inputSchema: { ...inputSchema } }).parameters;

  test('has the schema, with what the contract has beside it', () => {
    const properties = {
      unit: { type: 'string', enum: ['C', 'F'], description: 'Which' },
      at: { type: 'object', properties: { x: { type: 'number' } } },
      body: { description: 'Anything' },
      who: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    };
    expect(define({ properties, additionalProperties: false })).toEqual({
      type: 'object',
      properties: {
        unit: properties.unit,
        at: { ...properties.at, description: '' },
        body: { type: 'any', description: 'Anything' },
        who: { ...properties.who, description: '' },
      },
      required: [],
      additionalProperties: false,
    });
    expect(define({})).toEqual({ type: 'object', properties: {}, required: [] });
  });

  test('registering what a definition says gives the same parameters', () => {
    fc.assert(
      fc.property(anyParameters, (parameters) => {
        const schema = toInputSchema(parameters);
        expect(readInputSchema(define(schema))).toEqual(schema);
      }),
    );
  });
});
