import fc from 'fast-check';
import { toolParameterSchema } from '../../../src/contracts/http/tools';
import {
  MAX_PARAMETERS,
  normaliseParameters,
  toDefinition,
  toTypeNames,
} from '../../../src/tools/parameters';
import { anyParameters } from './arbitraries';

/** The details of the validation error of the normalization. */
function refusal(raw: unknown): { field: string; message: string } {
  try {
    normaliseParameters(raw);
  } catch (error) {
    const { code, details } = error as { code: string; details: { field: string; message: string } };
    expect(code).toBe('VALIDATION');
    return details;
  }
  throw new Error('expected a refusal');
}

describe('normaliseParameters', () => {
  test.each([undefined, {}])('%j are no parameters', (raw) => {
    expect(normaliseParameters(raw)).toEqual({});
  });

  test('a bare type name is a required parameter', () => {
    expect(normaliseParameters({ a: 'number', b: 'any' })).toEqual({
      a: { type: 'number', description: '', required: true },
      b: { type: 'any', description: '', required: true },
    });
  });

  test('the full form is required unless it says otherwise', () => {
    expect(
      normaliseParameters({
        unit: { type: 'string', description: 'Which', enum: ['C', 'F'], required: false },
        city: { type: 'string' },
      }),
    ).toEqual({
      unit: { type: 'string', description: 'Which', enum: ['C', 'F'], required: false },
      city: { type: 'string', description: '', required: true },
    });
  });

  test('a JSON Schema is required by its list, and takes any value where it is not plain about the type', () => {
    expect(
      normaliseParameters({
        type: 'object',
        additionalProperties: false,
        required: ['city'],
        properties: {
          city: { type: 'string', minLength: 1 },
          unit: { enum: ['C', 'F'] },
          when: { type: ['string', 'null'], description: 'Day' },
          more: {},
        },
      }),
    ).toEqual({
      city: { type: 'string', description: '', required: true },
      unit: { type: 'string', description: '', required: false, enum: ['C', 'F'] },
      when: { type: 'any', description: 'Day', required: false },
      more: { type: 'any', description: '', required: false },
    });
  });

  test('parameters that are called type and properties are no JSON Schema', () => {
    expect(Object.keys(normaliseParameters({ type: 'object', properties: 'object' }))).toEqual([
      'type',
      'properties',
    ]);
    expect(
      Object.keys(normaliseParameters({ type: 'object', properties: { type: 'object', description: 'x' } })),
    ).toEqual(['type', 'properties']);
    expect(
      Object.keys(normaliseParameters({ type: 'object', properties: { type: { type: 'string' } } })),
    ).toEqual(['type']);
  });

  test('names of what every object has are names like any other', () => {
    expect(Object.keys(normaliseParameters({ toString: 'string', hasOwnProperty: 'any' }))).toEqual([
      'toString',
      'hasOwnProperty',
    ]);
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
    [{ '': 'string' }, 'parameters', /the name "" must be/],
    [{ 'a b': 'string' }, 'parameters', /the name "a b" must be/],
    [{ ['x'.repeat(65)]: 'string' }, 'parameters', /1 to 64/],
    [JSON.parse('{"__proto__": "string"}'), 'parameters.__proto__', /no parameter may have/],
    [{ constructor: 'string' }, 'parameters.constructor', /no parameter may have/],
    [{ prototype: 'string' }, 'parameters.prototype', /no parameter may have/],
    [{ type: 'object', properties: { a: 'string' } }, 'parameters.properties.a', /schema object, got string/],
    [
      { type: 'object', properties: { a: { type: 'null' } } },
      'parameters.properties.a.type',
      /must be one of/,
    ],
    [{ type: 'object', properties: {}, required: 'a' }, 'parameters.required', /array/],
    [
      { type: 'object', properties: { a: {} }, required: ['a', 'b'] },
      'parameters.required[1]',
      /one of the properties/,
    ],
    [
      { type: 'object', properties: {}, required: ['toString'] },
      'parameters.required[0]',
      /one of the properties/,
    ],
  ])('%j is refused', (raw, field, message) => {
    const details = refusal(raw);
    expect(details.field).toBe(field);
    expect(details.message).toMatch(message);
  });

  test('the stored form is its own normal form', () => {
    fc.assert(
      fc.property(anyParameters, (parameters) => {
        expect(normaliseParameters(parameters)).toEqual(parameters);
      }),
    );
  });

  test('whatever comes, the result is valid or a validation error', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (raw) => {
        try {
          for (const value of Object.values(normaliseParameters(raw))) toolParameterSchema.parse(value);
        } catch (error) {
          expect(error).toMatchObject({ code: 'VALIDATION' });
        }
      }),
    );
  });
});

test('toTypeNames keeps the names and types', () => {
  expect(toTypeNames(normaliseParameters({ a: 'number', b: { type: 'object', required: false } }))).toEqual({
    a: 'number',
    b: 'object',
  });
});

describe('toDefinition', () => {
  test('is the form of function calling', () => {
    const parameters = normaliseParameters({
      unit: { type: 'string', enum: ['C', 'F'], required: false },
      city: { type: 'string', description: 'Where' },
    });
    expect(toDefinition({ name: 'weather', description: 'Tells it', parameters })).toEqual({
      name: 'weather',
      description: 'Tells it',
      parameters: {
        type: 'object',
        properties: {
          unit: { type: 'string', description: '', enum: ['C', 'F'] },
          city: { type: 'string', description: 'Where' },
        },
        required: ['city'],
      },
    });
  });

  test('registering what a definition says gives the same parameters', () => {
    fc.assert(
      fc.property(anyParameters, (parameters) => {
        const definition = toDefinition({ name: 'x', description: '', parameters });
        expect(normaliseParameters(definition.parameters)).toEqual(parameters);
      }),
    );
  });
});
