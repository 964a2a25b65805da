import fc from 'fast-check';
import { z } from 'zod';
import { contractNames } from '../../../../api/http/contract-names';
import { readInput } from '../../../../api/http/input';
import { parseRequest } from '../../../../api/http/parse-request';
import type { RequestSchemas } from '../../../../api/http/route';
import { allRoutes } from '../../../support/all-routes';
import { sampleOf } from '../../../support/schema-levels';
import { formatFields } from '../../../../api/http/mount';

const { api, records } = allRoutes();

/** What becomes of a request whose body, or whose query, has fields besides those of a valid one. */
function outcomeOf(operation: string, fields: object, query: object = {}): object {
  const route = [...api, ...records].find(({ method, path }) => `${method} ${path}` === operation);
  if (route === undefined) throw new Error(`there is no route ${operation}`);
  const { params, body } = route.request as RequestSchemas;
  const valid = (route.example?.body ?? (body === undefined ? {} : sampleOf(body))) as object;
  const path = params === undefined ? {} : sampleOf(params);
  try {
    return {
      ignored: parseRequest(
        { ...route, onInvalid: undefined },
        { params: path, query, body: { ...valid, ...fields } },
      ).ignored,
    };
  } catch (error) {
    return (error as { readonly details: object }).details;
  }
}

const refused = (field: string, message: string): object => ({ field, message: `${field} ${message}` });
const user = { userId: 'u', sessionId: 's' };

test.each<[string, object, object]>([
  [
    'post /api/tools/register',
    { requireApproval: true },
    refused('requireApproval', 'is not known; the nearest is requiresApproval'),
  ],
  ['post /api/tools/register', { code: '() => 1' }, refused('code', 'is not known; the nearest is execute')],
  [
    'post /api/tools/register',
    { annotations: { readonly: true } },
    refused('annotations.readonly', 'is not known; the nearest is readOnly'),
  ],
  [
    'post /api/tools/execute',
    { options: { aproval: {} } },
    refused('options.aproval', 'is not known; the nearest is approval'),
  ],
  [
    'post /api/tools/execute',
    { options: { timout: 5 } },
    refused('options.timout', 'is not known; the nearest is timeout'),
  ],
  ['post /api/tools/execute', { option: {} }, refused('option', 'is not known; the nearest is options')],
  [
    'post /api/tools/execute',
    { timeout: 5 },
    refused('timeout', 'is not known here; it belongs at options.timeout'),
  ],
  [
    'post /api/tools/execute',
    { approval: {} },
    refused('approval', 'is not known here; it belongs at options.approval'),
  ],
  [
    'post /api/tools/execute-multiple',
    { tools: [{ toolName: 'a', arguments: {} }] },
    refused('tools[0].arguments', 'is not known; the nearest is args'),
  ],
  ['post /api/tools/clear', { toolName: 'x' }, refused('toolName', 'is not known; nothing is taken here')],
  ['post /api/tools/execute', { parameters: {} }, refused('parameters', 'is not known; the nearest is args')],
  [
    'post /api/tools/execute-multiple',
    { tools: [{ tool: 'a' }] },
    refused('tools[0].tool', 'is not known; the nearest is toolName'),
  ],
  [
    'post /api/memory/search',
    { filters: { category: ['a'] } },
    refused('filters.category', 'is not known; the nearest is categories'),
  ],
  [
    'post /api/memory/search',
    { category: 'a' },
    refused('category', 'is not known here; it belongs at filters.categories'),
  ],
  [
    'post /api/memory/search',
    { filters: { sessionId: 'a' } },
    {
      field: 'filters.sessionId',
      message: expect.stringMatching(/^filters.sessionId is not known; known are/),
    },
  ],
  [
    'post /api/memory/episodic/search',
    { filters: { tags: ['a'] } },
    refused('filters', 'is not known; the nearest is tags'),
  ],
  [
    'post /api/approvals/:approvalId',
    { approved: true },
    refused('approved', 'is not known; the nearest is decision'),
  ],
  ['post /api/tools/clear', { prefix: 'x' }, refused('prefix', 'is not known; nothing is taken here')],
  [
    'post /api/agent/execute',
    { options: { ...user, toolTimout: 5 } },
    refused('options.toolTimout', 'is not known; the nearest is toolTimeout'),
  ],
  [
    'post /api/agent/execute',
    { timeout: 5 },
    refused('timeout', 'is not known; the nearest is options.toolTimeout'),
  ],
  [
    'post /api/agent/execute',
    { sessionId: 's' },
    refused('sessionId', 'is not known here; it belongs at options.sessionId'),
  ],
  [
    'post /api/intent-classifier/classify-batch',
    { queries: [{ id: 'a', timeout: 5 }] },
    refused('queries[0].timeout', 'is not known here; it belongs at queries[].options.timeout'),
  ],
  [
    'post /api/workflow/workflows',
    { steps: [{ id: 'a', type: 'tool_execution', config: { toolName: 'a', prompt: 'x' } }] },
    refused('steps[0].config.prompt', 'is not known for this type; known are toolName, args'),
  ],
  [
    'post /api/memory/episodic',
    { tags: ['a'] },
    refused('tags', 'is not known here; it belongs at metadata.tags'),
  ],
  [
    'post /api/memory/episodic',
    { meta_data: {} },
    refused('meta_data', 'is not known; the nearest is metadata'),
  ],
  [
    'post /api/memory/episodic',
    { relationships: { prev: 'a' } },
    refused('relationships.prev', 'is not known; the nearest is previous'),
  ],
  ['post /api/memory/search', { filter: {} }, refused('filter', 'is not known; the nearest is filters')],
  [
    'post /api/memory/search',
    { filters: { timeRange: { from: 'a' } } },
    refused('filters.timeRange.from', 'is not known; known are start, end'),
  ],
  [
    'post /api/shipments',
    { colour: 'red' },
    { field: 'colour', message: expect.stringMatching(/^colour is not known; known are .*origin/) },
  ],
])('%s with %j is refused', (operation, fields, expected) => {
  expect(outcomeOf(operation, fields)).toEqual(expected);
});

test.each<[string, object, object]>([
  ['get /api/runs', { statu: 'failed' }, refused('statu', 'is not known; the nearest is status')],
  [
    'get /api/runs/:traceId',
    { timeout: '1' },
    refused('timeout', 'is not known; known are workflowId, token'),
  ],
  [
    'get /api/shipments',
    { hops: '1' },
    { field: 'hops', message: expect.stringMatching(/^hops is not known; known are q, /) },
  ],
  ['get /api/tools', { name: 'a' }, refused('name', 'is not known; nothing is taken here')],
  [
    'get /api/memory/list/:userId',
    { sessionId: 's' },
    { field: 'sessionId', message: expect.stringMatching(/^sessionId is not known; known are type,/) },
  ],
  ['get /api/keys', { constructor: 'true' }, refused('constructor', 'is not known; nothing is taken here')],
  [
    'post /api/tools/execute',
    { timeout: '5' },
    refused('timeout', 'is not known here; it belongs in the body, at options.timeout'),
  ],
  [
    'get /api/memory/list/:userId',
    { histroy: '1' },
    { field: 'histroy', message: expect.stringMatching(/^histroy is not known; known are type,/) },
  ],
])('%s with the query %j is refused', (operation, query, expected) => {
  expect(outcomeOf(operation, {}, query)).toEqual(expected);
});

test.each<[string, object, string[]]>([
  ['post /api/memory/episodic', { mood: 'good', tone: 1 }, ['mood', 'tone']],
  ['post /api/memory/episodic', { id: 'a' }, ['id']],
  ['post /api/memory/search', { sessionId: 's' }, ['sessionId']],
  ['post /api/tools/execute', { tools: [] }, ['tools']],
  ['post /api/workflow/workflows', { requiredTools: [], builtin: false }, ['requiredTools', 'builtin']],
  ['post /api/memory/semantic/search', { filters: { tags: ['a'] } }, ['filters.tags']],
  [
    'post /api/tools/execute',
    { query: 'q', options: { model: 'm', temperature: 1 } },
    ['options.model', 'options.temperature', 'query'],
  ],
  ['post /api/shipments', { version: 3, createdAt: 'x' }, ['version', 'createdAt']],
])('%s with %j is accepted, and what has no effect is named', (operation, fields, ignored) => {
  expect((outcomeOf(operation, fields) as { readonly ignored: string[] }).ignored.sort()).toEqual(
    ignored.sort(),
  );
});

test('every name of the contract is accepted in its area, or the error says where it belongs', () => {
  const parts = api.flatMap((route) => [...contractNames(route.path)].map((name) => [route, name] as const));
  const bodies = parts.filter(([route]) => (route.request as RequestSchemas).body !== undefined);
  expect(bodies.length).toBeGreaterThan(200);
  for (const [{ method, path, request }, name] of bodies) {
    const { shape } = (request as { readonly body: z.ZodObject }).body;
    if (Object.hasOwn(shape, name)) continue;
    const outcome = outcomeOf(`${method} ${path}`, { [name]: 'x' }) as {
      ignored?: string[];
      message?: string;
    };
    expect({ path, name, ...outcome }).toEqual(
      outcome.ignored === undefined
        ? {
            path,
            name,
            field: name,
            message: expect.stringMatching(/ is not known(?: here; it belongs at|; the nearest is) \S+$/),
          }
        : { path, name, ignored: [name] },
    );
  }
});

test('the names of the contract that an area takes are accepted with their values', () => {
  const options = {
    ...user,
    topP: 0.9,
    hintIntent: 'hybrid',
    memorySearchTerms: ['a'],
    maxToolRetries: 1,
    toolTimeout: 5,
  };
  expect(outcomeOf('post /api/agent/execute', { options })).toEqual({ ignored: [] });
  const classify = {
    ...user,
    confidenceThreshold: 0.5,
    maxRetries: 2,
    timeout: 100,
    maxTokens: 5,
    topP: 1,
    context: { a: 1 },
  };
  expect(outcomeOf('post /api/intent-classifier/classify', { options: classify })).toEqual({ ignored: [] });
});

test('many unknown fields are refused without comparing each of them', () => {
  const many = Object.fromEntries(Array.from({ length: 80_000 }, (_, index) => [`k${index}`, 1]));
  const schema = z.strictObject({ a: z.string().optional() });
  expect(() => readInput(schema, many, 'body')).toThrow('k0 is not known; known are a');
  expect(outcomeOf('post /api/memory/episodic', many)).toMatchObject({
    message: expect.stringMatching(/^k50 is one of 80000 fields that are not known, more than 50$/),
  });
});

test('what is left out for an unknown field is that field alone', () => {
  const names = new Set(['extra']);
  const schema = z.strictObject({
    options: z.strictObject({ a: z.int().optional() }).optional(),
    tools: z.array(z.strictObject({ b: z.int() })).optional(),
  });
  const extra = fc.constantFrom({}, { extra: 1 });
  const tool = fc.tuple(fc.integer(), extra).map(([b, more]) => ({ b, ...more }));
  fc.assert(
    fc.property(extra, extra, fc.array(tool), (outer, inner, tools) => {
      const value = { ...outer, options: { a: 1, ...inner }, tools };
      const { data, ignored } = readInput(schema, value, 'body', { names });
      expect(data).toEqual({ options: { a: 1 }, tools: tools.map(({ b }) => ({ b })) });
      expect(ignored).toHaveLength(JSON.stringify(value).split('extra').length - 1);
    }),
  );
});

test('names of any characters fit into a header', () => {
  expect(formatFields(['a', 'options.b', 'c[0].d', 'e f\r\ng: 1', 'ü'])).toBe(
    'a, options.b, c[0].d, e%20f%0D%0Ag%3A%201, %C3%BC',
  );
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 20 }), (names) => {
      const text = formatFields(names);
      expect(text).toMatch(/^[\x21-\x7e ]*$/);
      expect(text.length).toBeLessThanOrEqual(2_010);
    }),
  );
});
