import { McpServer } from '@modelcontextprotocol/server';
import type { Caller } from '../../../../../src/access/caller';
import { createSessions, type SessionOptions, type Sessions } from '../../../endpoint/sessions';

const callerOf = (id: string, tenant = 'default'): Caller =>
  ({ id, tenant, scopes: [] }) as unknown as Caller;
const ann = callerOf('ann');

let opened: Sessions[] = [];
afterEach(async () => {
  await Promise.all(opened.map((sessions) => sessions.close()));
  opened = [];
});

function openSessions(options: SessionOptions): Sessions {
  const build = () => new McpServer({ name: 'test', version: '1' }, { capabilities: { tools: {} } });
  const sessions = createSessions(build, options);
  opened.push(sessions);
  return sessions;
}

interface Sent {
  readonly session?: string;
  readonly caller?: Caller;
  readonly method?: string;
  /** Whether the response stays open. */
  readonly open?: AbortController;
}

async function send(sessions: Sessions, message: object | undefined, sent: Sent = {}): Promise<Response> {
  const { session, caller = ann, method = 'POST', open } = sent;
  const closed = open ?? new AbortController();
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(session === undefined ? {} : { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }),
  };
  const body = message === undefined ? {} : { body: JSON.stringify(message) };
  const request = new Request('http://localhost/mcp', { method, headers, ...body });
  const response = await sessions.handle(request, { parsedBody: message }, { caller, closed: closed.signal });
  if (open === undefined) {
    await response.text();
    closed.abort();
  }
  return response;
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
};
const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };

async function begin(sessions: Sessions, sent: Sent = {}): Promise<string> {
  const response = await send(sessions, initialize, sent);
  expect(response.status).toBe(200);
  return response.headers.get('mcp-session-id')!;
}
const statusOf = async (sessions: Sessions, session: string, caller = ann): Promise<number> =>
  (await send(sessions, ping, { session, caller })).status;

test('a session is of the caller that began it, and does not exist for others', async () => {
  const sessions = openSessions({});
  const session = await begin(sessions);
  expect(await statusOf(sessions, session)).toBe(200);
  expect(await statusOf(sessions, session, callerOf('bob'))).toBe(404);
  expect(await statusOf(sessions, session, callerOf('ann', 'acme'))).toBe(404);
  expect(await statusOf(sessions, 'unknown')).toBe(404);
});

test('a session that its client ends is gone', async () => {
  const sessions = openSessions({});
  const session = await begin(sessions);
  expect((await send(sessions, undefined, { session, method: 'DELETE' })).status).toBe(200);
  expect(await statusOf(sessions, session)).toBe(404);
});

test('a session without requests ends after its time, when another begins', async () => {
  let now = 0;
  const sessions = openSessions({ idleMs: 1_000, now: () => now });
  const [idle, used] = [await begin(sessions), await begin(sessions)];
  now = 999;
  expect(await statusOf(sessions, used)).toBe(200);
  now = 1_000;
  await begin(sessions);
  expect([await statusOf(sessions, idle), await statusOf(sessions, used)]).toEqual([404, 200]);
});

test('one more session than there may be ends the one that was idle for longest', async () => {
  let now = 0;
  const sessions = openSessions({ max: 2, now: () => (now += 1) });
  const [first, second] = [await begin(sessions), await begin(sessions)];
  expect(await statusOf(sessions, first)).toBe(200);
  const third = await begin(sessions);
  const statuses = await Promise.all([first, second, third].map((session) => statusOf(sessions, session)));
  expect(statuses).toEqual([200, 404, 200]);
});

test('a caller that begins too many sessions ends its own, and none of another', async () => {
  const sessions = openSessions({ max: 4, maxOfCaller: 2 });
  const bob = callerOf('bob');
  const first = await begin(sessions, { caller: bob });
  const own = [await begin(sessions), await begin(sessions), await begin(sessions)];
  const statuses = await Promise.all(own.map((session) => statusOf(sessions, session)));
  expect(statuses).toEqual([404, 200, 200]);
  expect(await statusOf(sessions, first, bob)).toBe(200);
});

test('callers without a name share a part of the room, and lose the sessions that are idle for longest', async () => {
  const anyone = { tenant: 'default', scopes: [] } as unknown as Caller;
  const sessions = openSessions({ maxOfCaller: 1, maxUnnamed: 3 });
  const begun: string[] = [];
  for (let index = 0; index < 5; index += 1) begun.push(await begin(sessions, { caller: anyone }));
  const statuses = await Promise.all(begun.map((session) => statusOf(sessions, session, anyone)));
  expect(statuses).toEqual([404, 404, 200, 200, 200]);
});

test('by default that is a small part of the memory that 1,000 sessions would take', async () => {
  const anyone = { tenant: 'default', scopes: [] } as unknown as Caller;
  const sessions = openSessions({});
  const first = await begin(sessions, { caller: anyone });
  for (let index = 0; index < 200; index += 1) await begin(sessions, { caller: anyone });
  expect(await statusOf(sessions, first, anyone)).toBe(404);
});

test('if there is no room, a caller without a session of its own is refused', async () => {
  const sessions = openSessions({ max: 1 });
  const session = await begin(sessions);
  expect((await send(sessions, initialize, { caller: callerOf('bob') })).status).toBe(503);
  expect(await statusOf(sessions, session)).toBe(200);
});

test.each([false, true])(
  'no tenant takes the room of the others, with open responses: %j',
  async (isOpen) => {
    let now = 0;
    const sessions = openSessions({ max: 4, now: () => (now += 1) });
    const acme = callerOf('acme', 'acme');
    const taken: string[] = [];
    const opens: AbortController[] = [];
    for (const n of [0, 1, 2, 3]) {
      const caller = callerOf(`ann ${n}`);
      const session = await begin(sessions, { caller });
      taken.push(session);
      if (!isOpen) continue;
      const open = new AbortController();
      opens.push(open);
      await send(sessions, undefined, { session, caller, method: 'GET', open });
    }
    const own = [await begin(sessions, { caller: acme }), await begin(sessions, { caller: acme })];
    expect((await send(sessions, initialize, { caller: ann })).status).toBe(503);
    const statuses = taken.map((session, n) => statusOf(sessions, session, callerOf(`ann ${n}`)));
    expect(await Promise.all(statuses)).toEqual([404, 404, 200, 200]);
    expect(await Promise.all(own.map((session) => statusOf(sessions, session, acme)))).toEqual([200, 200]);
    for (const open of opens) open.abort();
  },
);

test('sessions with an open response are kept, and further ones are refused', async () => {
  const sessions = openSessions({ max: 1, idleMs: 0 });
  const session = await begin(sessions);
  const open = new AbortController();
  const stream = await send(sessions, undefined, { session, method: 'GET', open });
  const refused = await send(sessions, initialize);
  expect([refused.status, refused.headers.get('mcp-session-id')]).toEqual([503, null]);
  expect(await statusOf(sessions, session)).toBe(200);
  await stream.body?.cancel();
  open.abort();
  await begin(sessions);
  expect(await statusOf(sessions, session)).toBe(404);
});

test('the end of the service ends all sessions', async () => {
  const sessions = openSessions({});
  const session = await begin(sessions);
  await sessions.close();
  expect(await statusOf(sessions, session)).toBe(404);
});
