import { z } from 'zod';
import { createNamedSchemas } from '../../../../api/http/openapi-schemas';

const inner = z.object({ size: z.number().default(1) });
const outer = z.object({ inner, name: z.string() });
const plain = z.object({ id: z.string().describe('An id') });
const unused = z.object({ never: z.boolean() });
const NAMES = { Inner: inner, Outer: outer, Plain: plain, Unused: unused };

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

test('a named schema is there once, and is referred to wherever it is used', () => {
  const schemas = createNamedSchemas(NAMES);
  const asked = [
    schemas.convert(plain, 'output'),
    schemas.convert(z.array(plain), 'output'),
    schemas.convert(z.object({ one: plain.optional() }), 'output'),
  ];
  const finished = schemas.finish(asked);
  expect(finished.document).toMatchObject([
    reference('Plain'),
    { items: reference('Plain') },
    { properties: { one: reference('Plain') } },
  ]);
  expect(finished.schemas).toEqual({
    Plain: expect.objectContaining({ properties: { id: { type: 'string', description: 'An id' } } }),
  });
  expect(finished.schemas['Plain']).not.toHaveProperty('id');
});

test('what is sent has a name of its own where it differs from what is received, in itself or in a part', () => {
  const schemas = createNamedSchemas(NAMES);
  const asked = [
    schemas.convert(outer, 'input'),
    schemas.convert(outer, 'output'),
    schemas.convert(plain, 'input'),
  ];
  const finished = schemas.finish(asked);
  expect(finished.document).toEqual([reference('OuterInput'), reference('Outer'), reference('Plain')]);
  expect(Object.keys(finished.schemas)).toEqual(['Inner', 'InnerInput', 'Outer', 'OuterInput', 'Plain']);
  expect(finished.schemas['OuterInput']).toMatchObject({ properties: { inner: reference('InnerInput') } });
  expect(finished.schemas['Outer']).toMatchObject({ properties: { inner: reference('Inner') } });
  expect(finished.schemas['InnerInput']).not.toHaveProperty('required');
  expect(finished.schemas['Inner']).toMatchObject({ required: ['size'] });
});

test('a schema with another description refers to the named one, and keeps its own words', () => {
  const schemas = createNamedSchemas(NAMES);
  const { document } = schemas.finish({ schema: schemas.convert(plain.describe('Mine'), 'output') });
  expect(document.schema).toEqual({ ...reference('Plain'), description: 'Mine' });
});
