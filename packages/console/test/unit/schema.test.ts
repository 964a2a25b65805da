import { fieldsOf, mistakesOf, readFields, type Schema } from '../../src/parts/schema';

const schema: Schema = {
  type: 'object',
  required: ['name', 'size'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', description: 'What it is called' },
    size: { type: 'number' },
    mode: { type: 'string', enum: ['a', 'b'] },
    level: { enum: [1, 2] },
    loud: { type: 'boolean' },
    list: { type: 'array' },
    at: { type: 'object', required: ['x'], properties: { x: { type: 'integer' }, y: { type: 'integer' } } },
  },
};

test('a form has a field for each property', () => {
  expect(fieldsOf(schema).map(({ path, kind, isRequired }) => `${path} ${kind} ${isRequired}`)).toEqual([
    'name text true',
    'size number true',
    'mode choice false',
    'level choice false',
    'loud boolean false',
    'list json false',
    'at object false',
  ]);
  expect(
    fieldsOf(schema)
      .at(-1)
      ?.fields.map(({ path }) => path),
  ).toEqual(['at.x', 'at.y']);
});

test('values have the types of their fields, and empty fields are left out', () => {
  const written = { name: '7', size: '2.5', level: '2', loud: 'false', list: '[1]', 'at.x': '3', mode: '' };
  expect(readFields(fieldsOf(schema), written)).toEqual({
    value: { name: '7', size: 2.5, level: 2, loud: false, list: [1], at: { x: 3 } },
    mistakes: {},
  });
});

test('mistakes are named by field', () => {
  const written = { size: 'many', list: '[', 'at.y': '1' };
  expect(readFields(fieldsOf(schema), written).mistakes).toEqual({
    name: 'is required',
    size: 'must be a number',
    list: 'must be JSON; a text has quotes',
    'at.x': 'is required',
  });
});

test.each([
  [{ name: 'n', size: 1 }, []],
  [[], ['The value must be of type object']],
  [{ name: 1, size: 1, more: 2 }, ['name must be of type string', 'more is not known']],
  [{ name: 'n', size: 1, mode: 'c' }, ['mode must be one of a, b']],
  [{ name: 'n', size: 1, at: { x: 'z' } }, ['at.x must be of type integer']],
  [{}, ['name is required', 'size is required']],
])('the mistakes of %j', (value, mistakes) => {
  expect(mistakesOf(value, schema)).toEqual(mistakes);
});
