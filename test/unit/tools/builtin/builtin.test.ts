import type { Egress } from '../../../../src/egress/egress';
import { createBuiltinTools } from '../../../../src/tools/builtin';
import { builtinDefinitions } from '../../../../src/tools/builtin/declarations';
import { readInputSchema, toTypeNames } from '../../../../src/tools/parameters';
import { callChecks } from '../../../support/argument-checks';

const egress: Egress = {
  request: () => Promise.reject(new Error('not in this test')),
  close: () => Promise.resolve(),
};
const tools = createBuiltinTools({
  egress,
  operatorEgress: egress,
  sandbox: { queryJson: () => Promise.resolve([]) },
  largeJson: { rewriteJson: () => Promise.resolve(undefined) },
  fileRoot: '/nowhere',
  maxFileBytes: 1,
  weather: { forecastUrl: 'http://127.0.0.1', geocodingUrl: 'http://127.0.0.1' },
});

test('what is declared is what is built', () => {
  expect([...tools.keys()].sort()).toEqual(builtinDefinitions.map(({ name }) => name).sort());
  for (const declared of builtinDefinitions) expect(tools.get(declared.name)).toMatchObject(declared);
});

test('declarations are schemas that may be registered', () => {
  for (const { inputSchema } of builtinDefinitions) expect(readInputSchema(inputSchema)).toEqual(inputSchema);
});

test('type names are those of the interface', () => {
  const types = Object.fromEntries(
    builtinDefinitions.map((tool) => [tool.name, toTypeNames(tool.inputSchema)]),
  );
  expect(types).toEqual({
    calculator: { operation: 'string', a: 'number', b: 'number' },
    api_call: {
      url: 'string',
      params: 'object',
      form: 'array',
      parse: 'string',
      paginate: 'object',
      method: 'string',
      headers: 'object',
      body: 'any',
      expect: 'any',
      repeatable: 'boolean',
    },
    json_reader: { jsonString: 'string', path: 'string' },
    file_read: { path: 'string', encoding: 'string' },
    weather: { location: 'string', units: 'string' },
  });
});

test.each<[string, Record<string, unknown>]>([
  ['calculator', { operation: 'add', a: 1, b: 2 }],
  ['api_call', { url: 'https://example.com' }],
  ['api_call', { url: 'https://example.com', method: 'post', headers: {}, body: null }],
  ['json_reader', { jsonString: '{}', path: '$' }],
  ['file_read', { path: 'a.txt' }],
  ['weather', { location: 'Paris', units: 'imperial' }],
])('%s takes %j', async (name, args) => {
  const { check, signal } = callChecks;
  expect(await check(tools.get(name)!, args, signal)).toEqual({ args });
});
