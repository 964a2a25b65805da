import { calculator } from '../support/calls';
import { type Answer, request } from '../support/http';
import { bearer, type Key, runKeys } from '../support/keys';
import { type Service, startService } from '../support/service';

const LISTED = 'https://app.example';
const FOREIGN = 'https://elsewhere.example';
const allowed = 'access-control-allow-origin';

let service: Service;
let auth: Record<string, string>;
beforeAll(async () => {
  service = await startService({ AUTH: 'keys', CORS_ORIGINS: `${LISTED}, http://localhost:5173` });
  const { key } = await runKeys<Key>(service.dataDir, 'create', '--name', 'page', '--scopes', 'read,run');
  auth = bearer(key);
});
afterAll(() => service.stop());

function preflight(path: string, origin: string, headers: string): Promise<Answer> {
  return request(service.url + path, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': headers,
    },
  });
}

function fromPage(path: string, origin: string, body: string | undefined, headers: Record<string, string>) {
  return request(service.url + path, {
    ...(body === undefined ? {} : { method: 'POST', body }),
    headers: { origin, ...headers },
  });
}

const JSON_TYPE = { 'content-type': 'application/json' };
const ADD = JSON.stringify(calculator('add', 1, 2));
const runsOf = async (): Promise<number> =>
  (await service.send('GET', '/api/runs', undefined, auth)).body.data.runs.length;

test.each([
  ['/api/tools/execute', 'authorization,content-type,idempotency-key,prefer,if-match,if-none-match'],
  ['/api/runs/x/events', 'authorization,last-event-id'],
  ['/mcp', 'authorization,content-type,mcp-session-id,mcp-protocol-version,mcp-method,mcp-name'],
])('a preflight for %s is answered without a key, for pages of listed origins alone', async (path, asked) => {
  const { status, headers } = await preflight(path, LISTED, asked);
  expect([status, headers.get(allowed), headers.get('vary')]).toEqual([204, LISTED, 'Origin']);
  const names = (headers.get('access-control-allow-headers') ?? '').toLowerCase().split(',');
  expect(names).toEqual(expect.arrayContaining(asked.split(',')));
  expect(headers.get('access-control-allow-methods')).toContain('DELETE');
  expect(headers.has('access-control-allow-credentials')).toBe(false);
  const foreign = await preflight(path, FOREIGN, asked);
  expect(foreign.headers.has(allowed)).toBe(false);
});

test('a page of a listed origin reads the run that it starts, and the headers that name it', async () => {
  const { status, headers, body } = await fromPage('/api/tools/execute', LISTED, ADD, {
    ...JSON_TYPE,
    ...auth,
  });
  expect([status, headers.get(allowed), body.data.result]).toEqual([200, LISTED, 3]);
  const exposed = (headers.get('access-control-expose-headers') ?? '').split(',');
  for (const name of [
    'Location',
    'X-Trace-Id',
    'X-Workflow-Id',
    'ETag',
    'Retry-After',
    'Idempotent-Replayed',
  ])
    expect(exposed).toContain(name);
  expect(exposed).toContain('Mcp-Session-Id');
  const events = await fromPage(`/api/runs/${headers.get('x-trace-id')}/events`, LISTED, undefined, {
    accept: 'text/event-stream',
    ...auth,
  });
  expect([events.status, events.headers.get(allowed)]).toEqual([200, LISTED]);
  expect(events.text).toContain('event: ');
});

test('a page begins a session of MCP, and reads its id', async () => {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'page', version: '1' },
  };
  const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const headers = { accept: 'application/json, text/event-stream', ...JSON_TYPE, ...auth };
  const begun = await fromPage('/mcp', LISTED, message, headers);
  expect([begun.status, begun.headers.get(allowed)]).toEqual([200, LISTED]);
  expect(begun.headers.get('mcp-session-id')).toMatch(/./);
  expect((await fromPage('/mcp', FOREIGN, message, headers)).status).toBe(403);
});

test.each([
  ['no key', 401, '/api/tools/execute', ADD, JSON_TYPE],
  ['no such path', 404, '/api/nothing', '{}', JSON_TYPE],
  ['a wrong body', 400, '/api/tools/execute', '{', JSON_TYPE],
  ['a failed tool', 500, '/api/tools/execute', JSON.stringify(calculator('divide', 1, 0)), JSON_TYPE],
])('a page can read the error of %s', async (what, status, path, body, headers) => {
  const answer = await fromPage(path, LISTED, body, { ...headers, ...(what === 'no key' ? {} : auth) });
  expect([answer.status, answer.headers.get(allowed), answer.headers.get('vary')]).toEqual([
    status,
    LISTED,
    'Origin',
  ]);
});

test('a body that a page sends without a preflight starts no run', async () => {
  const before = await runsOf();
  for (const type of ['text/plain', 'text/plain;charset=UTF-8', 'application/x-www-form-urlencoded']) {
    const listed = await fromPage('/api/tools/execute', LISTED, ADD, { 'content-type': type, ...auth });
    expect([type, listed.status]).toEqual([type, 415]);
    const foreign = await fromPage('/api/tools/execute', FOREIGN, ADD, { 'content-type': type, ...auth });
    expect([type, foreign.status, foreign.headers.has(allowed)]).toEqual([type, 403, false]);
  }
  expect(await runsOf()).toBe(before);
});
