import { deriveParameters } from '../../../src/mcp/derive-parameters';

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

test('a property becomes a parameter of the closest type', () => {
  const parameters = deriveParameters(
    object(
      {
        city: { type: 'string', description: 'A city', minLength: 1 },
        unit: { type: 'string', enum: ['C', 'F'] },
        days: { type: 'integer', minimum: 1 },
        level: { type: 'integer', enum: [1, 2] },
        place: { $ref: '#/$defs/place' },
        note: { type: ['string', 'null'] },
      },
      { required: ['city'] },
    ),
  );
  expect(parameters).toEqual({
    city: { type: 'string', description: 'A city', required: true },
    unit: { type: 'string', description: '', enum: ['C', 'F'], required: false },
    days: { type: 'integer', description: '', required: false },
    level: { type: 'integer', description: '', required: false },
    place: { type: 'any', description: '', required: false },
    note: { type: 'any', description: '', required: false },
  });
});

test.each([
  ['other arguments', object({ a: { type: 'string' } }, { additionalProperties: true })],
  ['alternatives', object({ a: { type: 'string' } }, { anyOf: [{ required: ['a'] }] })],
  ['names that no parameter may have', object({ 'a b': { type: 'string' } })],
  [
    'more properties than parameters',
    object(Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`p${at}`, {}]))),
  ],
  ['no properties', { type: 'object' }],
])('a schema with %s accepts any arguments', (_, schema) => {
  expect(deriveParameters(schema)).toEqual({});
});
