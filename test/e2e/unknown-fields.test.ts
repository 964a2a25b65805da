import { request } from '../support/http';
import { type Service, startService } from '../support/service';

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const EXECUTE = '/api/tools/execute';
const TOOL = { name: 'z', description: 'd', parameters: {}, execute: '() => "done"' };
const ADD = { toolName: 'calculator', args: { operation: 'add', a: 1, b: 2 } };
const EVENT = { userId: 'u', sessionId: 's', content: 'x' };
const ASKED = { query: 'hello', options: { userId: 'u', sessionId: 's' } };

test.each<[string, string, object | undefined, string, string]>([
  ['POST', '/api/tools/register', { ...TOOL, requireApproval: true }, 'requireApproval', 'requiresApproval'],
  ['POST', '/api/tools/register', { ...TOOL, execute: undefined, code: '() => 1' }, 'code', 'execute'],
  ['POST', EXECUTE, { ...ADD, options: { aproval: { tools: 'all' } } }, 'options.aproval', 'approval'],
  ['POST', EXECUTE, { ...ADD, options: { timout: 1 } }, 'options.timout', 'timeout'],
  ['POST', EXECUTE, { ...ADD, option: { timeout: 1 } }, 'option', 'options'],
  ['POST', EXECUTE, { ...ADD, approval: { tools: 'all' } }, 'approval', 'options.approval'],
  ['POST', `${EXECUTE}?timeout=1`, ADD, 'timeout', 'in the body, at options.timeout'],
  ['GET', '/api/runs?statu=failed', undefined, 'statu', 'status'],
  ['GET', '/api/approvals?state=pending', undefined, 'state', 'status'],
  ['POST', '/api/approvals/any/links', { expiresMs: 1_000 }, 'expiresMs', 'expiresInMs'],
  [
    'POST',
    '/api/workflow/execute',
    { query: 'x', options: { maxIteration: 1 } },
    'options.maxIteration',
    'maxIterations',
  ],
  [
    'POST',
    '/api/mcp-servers',
    { name: 'a', url: 'http://127.0.0.1:1', aproval: 'always' },
    'aproval',
    'approval',
  ],
  ['POST', '/api/agent/initialize', { graphdb: {} }, 'graphdb', 'memoryConfig.graphdb'],
  [
    'POST',
    '/api/agent/execute',
    { ...ASKED, options: { ...ASKED.options, buget: {} } },
    'options.buget',
    'budget',
  ],
  ['POST', '/api/intent-classifier/classify', { ...ASKED, timeout: 1 }, 'timeout', 'options.timeout'],
  ['POST', '/api/memory/episodic', { ...EVENT, tags: ['a'] }, 'tags', 'metadata.tags'],
  ['POST', '/api/memory/search', { userId: 'u', query: 'x', filter: {} }, 'filter', 'filters'],
  ['POST', '/api/memory/search', { userId: 'u', filters: { tag: ['a'] } }, 'filters.tag', 'tags'],
  [
    'POST',
    '/api/memory-chat/chat',
    { userId: 'u', sessionId: 's', message: 'x', includeMemory: false },
    'includeMemory',
    'includeMemories',
  ],
])('%s %s with %j is refused, and the nearest field named', async (method, path, body, field, nearest) => {
  const answer = await service.send(method, path, body);
  expect([answer.status, answer.body.details.field]).toEqual([400, field]);
  expect(answer.body.details.message).toMatch(
    new RegExp(`^${field} is not known.*(nearest is|belongs) (at )?${nearest}$`),
  );
  const registered = await service.get('/api/tools/z');
  expect(registered.status).toBe(404);
});

test('what a memory does not have is ignored, named, and logged once in a minute', async () => {
  const lines = () => service.process.lines.filter(({ msg }) => msg === 'fields of a request were ignored');
  for (const mood of ['good', 'bad']) {
    const { status, body, headers } = await service.post('/api/memory/episodic', {
      ...EVENT,
      mood,
      'wetter°': 1,
    });
    expect([status, body.data.mood, headers.get('x-ignored-fields')]).toEqual([
      201,
      undefined,
      'mood, wetter%C2%B0',
    ]);
  }
  expect(lines()).toMatchObject([{ route: '/api/memory/episodic', fields: 'mood, wetter%C2%B0' }]);
  expect((await service.post('/api/memory/episodic', EVENT)).headers.get('x-ignored-fields')).toBeNull();
});

test('a body that a DELETE or a GET has no use for is refused', async () => {
  await service.post('/api/memory/episodic', EVENT);
  const erased = await request(`${service.url}/api/memory/clear/u`, {
    method: 'DELETE',
    body: JSON.stringify({ sessionId: 's' }),
    headers: { 'content-type': 'application/json' },
  });
  expect([erased.status, erased.body.details.field]).toEqual([400, 'sessionId']);
  expect((await service.get('/api/memory/stats/u')).body.data.episodic.count).toBeGreaterThan(0);
});
