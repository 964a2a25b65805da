import { simplifySchema } from '../../../src/llm/simplify-schema';

test('what every provider takes is left, with references and the only alternative in their places', () => {
  expect(
    simplifySchema({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'Move',
      type: 'object',
      $defs: {
        point: { type: 'object', properties: { x: { type: 'number', minimum: 0 } }, required: ['x', 'y'] },
      },
      properties: {
        to: { $ref: '#/$defs/point', description: 'Where' },
        via: { type: 'array', items: { $ref: '#/$defs/point' }, minItems: 1 },
        by: { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }], default: null },
        speed: { type: ['integer', 'null'] },
        level: { type: 'integer', enum: [1, 2] },
        kind: { const: 'fast' },
        either: { oneOf: [{ type: 'string' }, { type: 'number' }] },
        any: true,
      },
      required: ['to', 'ghost'],
      additionalProperties: false,
    }),
  ).toEqual({
    type: 'object',
    properties: {
      to: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'], description: 'Where' },
      via: {
        type: 'array',
        items: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] },
      },
      by: { type: 'string' },
      speed: { type: 'integer' },
      level: { type: 'integer' },
      kind: { type: 'string', enum: ['fast'] },
      either: {},
      any: {},
    },
    required: ['to'],
  });
});

test('a schema that refers to itself, and one that refers to nothing, ends', () => {
  const schema = {
    properties: { next: { $ref: '#' }, gone: { $ref: '#/$defs/gone' }, far: { $ref: 'https://a.example' } },
  };
  const simple = simplifySchema(schema) as { properties: Record<string, { type?: string }> };
  expect(simple.properties['next']!.type).toBe('object');
  expect(simple.properties['gone']).toEqual({});
  expect(simple.properties['far']).toEqual({});
  expect(simplifySchema({})).toEqual({ type: 'object', properties: {} });
  expect(JSON.stringify(simple).length).toBeLessThan(5_000);
});

test('a wide schema that refers to itself is cut, and an odd reference refers to nothing', () => {
  const wide = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`p${n}`, { $ref: '#' }]));
  expect(JSON.stringify(simplifySchema({ properties: wide })).length).toBeLessThan(100_000);
  expect(simplifySchema({ properties: { odd: { $ref: '#/$defs/100%' } } }).properties).toEqual({ odd: {} });
});
