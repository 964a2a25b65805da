import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createDocumentStore } from '../../src/factories/create-stores';
import { MAX_TENANTS, TENANT_COLLECTION } from '../../src/tenants/admit-tenant';
import { type Answer, send } from '../support/http';
import { bearer, type Key, runKeys, SCOPES } from '../support/keys';
import { type Service, startService } from '../support/service';
import { waitFor } from '../support/wait';

let service: Service;
let operator: string;
let acme: string;
let globex: string;
beforeAll(async () => {
  service = await startService({ AUTH: 'keys' });
  const scopes = ['--scopes', SCOPES.join(',')];
  const command = (...args: string[]) => runKeys<Key>(service.dataDir, 'create', ...args, ...scopes);
  operator = (await command('--name', 'operator')).key;
  acme = (await command('--name', 'acme', '--tenant', 'acme')).key;
  const created = await call(operator, 'POST', '/api/keys', {
    name: 'globex',
    tenant: 'globex',
    scopes: SCOPES,
  });
  expect(created.body.data).toMatchObject({ tenant: 'globex' });
  globex = created.body.data.key;
  for (const area of ['agent', 'memory-chat', 'intent-classifier'])
    expect((await call(operator, 'POST', `/api/${area}/initialize`, {})).status).toBe(200);
});
afterAll(() => service.stop());

const call = (key: string, method: string, path: string, body?: unknown, headers = {}): Promise<Answer> =>
  send(method, service.url + path, body, { ...bearer(key), ...headers });
const records = (key: string, method: string, path: string, body?: unknown): Promise<Answer> =>
  send(method, service.recordsUrl + path, body, bearer(key));

async function ok(answer: Promise<Answer>): Promise<Answer> {
  const { status, text } = await answer;
  expect([status < 300, text]).toEqual([true, text]);
  return answer;
}
const everyone = (): [name: string, key: string][] => [
  ['operator', operator],
  ['acme', acme],
  ['globex', globex],
];
const greeting = (name: string) => ({
  name: 'greeting',
  description: `The greeting of ${name}`,
  parameters: {},
  execute: `() => "hello from ${name}"`,
});

test('a tenant starts with the built-in tools, and has tools of its own', async () => {
  const names = async (key: string): Promise<string[]> => {
    const { body } = await call(key, 'GET', '/api/tools');
    return (body.data as { name: string }[]).map(({ name }) => name).sort();
  };
  const builtin = await names(operator);
  expect(builtin).toContain('calculator');
  expect(await names(acme)).toEqual(builtin);
  await ok(call(acme, 'POST', '/api/tools/register', greeting('acme')));
  expect(await names(acme)).toEqual([...builtin, 'greeting'].sort());
  expect(await names(globex)).toEqual(builtin);
  await ok(call(globex, 'POST', '/api/tools/register', greeting('globex')));
  const run = { toolName: 'greeting', args: {} };
  expect((await call(acme, 'POST', '/api/tools/execute', run)).body.data.result).toBe('hello from acme');
  expect((await call(globex, 'POST', '/api/tools/execute', run)).body.data.result).toBe('hello from globex');
  expect((await call(operator, 'POST', '/api/tools/execute', run)).status).toBe(404);
  // A planned run chooses among the tools of its tenant too.
  const planned = await call(acme, 'POST', '/api/tools/mcp', { query: 'run greeting' });
  expect(planned.body.data.finalResult).toBe('hello from acme');
  await ok(call(acme, 'DELETE', '/api/tools/calculator'));
  expect(await names(globex)).toContain('calculator');
});

test('a tenant has named agents of its own, whose writing needs the scope tools and no user', async () => {
  const agent = (instructions: string) => ({ name: 'Clerk', description: 'Sells', instructions });
  await ok(call(acme, 'PUT', '/api/agents/clerk', agent('Be the clerk of acme.')));
  expect((await call(globex, 'GET', '/api/agents/clerk')).status).toBe(404);
  const turn = { query: 'What is 2 plus 3?', options: { userId: 'ann', sessionId: 's', agent: 'clerk' } };
  expect((await call(globex, 'POST', '/api/agent/execute', turn)).status).toBe(404);
  await ok(call(globex, 'PUT', '/api/agents/clerk', agent('Be the clerk of globex.')));
  const answer = await ok(call(acme, 'POST', '/api/agent/execute', turn));
  expect(answer.body.data.metadata.agent).toEqual({ id: 'clerk', version: 1 });
  await ok(call(globex, 'DELETE', '/api/agents/clerk'));
  const { body } = await call(acme, 'GET', '/api/agents/clerk');
  expect(body.data.instructions).toBe('Be the clerk of acme.');
  const keyWith = async (fields: object): Promise<string> =>
    (await ok(call(acme, 'POST', '/api/keys', { name: 'k', ...fields }))).body.data.key;
  const runner = await keyWith({ scopes: ['read', 'run'] });
  const ofUser = await keyWith({ scopes: SCOPES, userId: 'ann' });
  for (const key of [runner, ofUser]) {
    expect((await call(key, 'PUT', '/api/agents/clerk', agent('Be mine.'))).status).toBe(403);
    expect((await call(key, 'DELETE', '/api/agents/clerk')).status).toBe(403);
    await ok(call(key, 'GET', '/api/agents/clerk'));
    await ok(call(key, 'POST', '/api/agent/execute', turn));
  }
});

test('no tool reaches what is on the machine of the service, such as the Temporal UI with the runs of all', async () => {
  const local = { toolName: 'api_call', args: { url: `${service.url}/livez`, method: 'GET' } };
  const { status, text } = await call(acme, 'POST', '/api/tools/execute', local);
  expect([status, text]).toEqual([500, expect.stringContaining('loopback')]);
});

test('each counts its own calls and classifications', async () => {
  const figures = async (key: string): Promise<unknown[]> => [
    (await call(key, 'GET', '/api/tools/stats')).body.data.totalExecutions,
    (await call(key, 'GET', '/api/intent-classifier/stats')).body.data.totalClassifications,
  ];
  const [before, others] = [await figures(globex), await figures(operator)];
  const addition = { toolName: 'calculator', args: { operation: 'add', a: 1, b: 2 } };
  await ok(call(globex, 'POST', '/api/tools/execute', addition));
  const query = { query: 'hello', options: { userId: 'ann', sessionId: 's' } };
  await ok(call(globex, 'POST', '/api/intent-classifier/classify', query));
  expect(await figures(globex)).toEqual(before.map((count) => Number(count) + 1));
  expect(await figures(operator)).toEqual(others);
});

test('stored workflows are those of the tenant', async () => {
  const workflow = {
    id: 'mine',
    name: 'Mine',
    description: 'of acme',
    steps: [
      {
        id: 'a',
        type: 'tool_execution',
        config: { toolName: 'json_reader', args: { jsonString: '1', path: '$' } },
      },
    ],
  };
  await ok(call(acme, 'POST', '/api/workflow/workflows', workflow));
  expect((await call(acme, 'GET', '/api/workflow/workflows/mine')).status).toBe(200);
  for (const key of [globex, operator]) {
    expect((await call(key, 'GET', '/api/workflow/workflows/mine')).status).toBe(404);
    const run = await call(key, 'POST', '/api/workflow/execute-custom', { workflowId: 'mine' });
    expect(run.status).toBe(404);
  }
  await ok(call(acme, 'POST', '/api/workflow/execute-custom', { workflowId: 'mine' }));
});

test('users of the same name are different users, in memories, sessions and turns', async () => {
  const drinks: Record<string, string> = { operator: 'water', acme: 'tea', globex: 'coffee' };
  for (const [name, key] of everyone()) {
    const options = { userId: 'ann', sessionId: 'monday' };
    const said = `My name is Ann and I prefer ${drinks[name]}`;
    await ok(call(key, 'POST', '/api/agent/execute', { query: said, options }));
    await ok(
      call(key, 'POST', '/api/memory/semantic', { userId: 'ann', concept: `of ${name}`, description: 'x' }),
    );
  }
  for (const [name, key] of everyone()) {
    const options = { userId: 'ann', sessionId: 'tuesday' };
    const asked = await ok(
      call(key, 'POST', '/api/agent/execute', { query: 'What do I like to drink?', options }),
    );
    const others = Object.entries(drinks).filter(([other]) => other !== name);
    expect(asked.body.data.response).toContain(drinks[name]);
    expect(asked.body.data.memoryContext.userId).toBe('ann');
    for (const path of [
      '/api/memory/context/ann/tuesday',
      '/api/memory/list/ann?type=episodic',
      '/api/memory/list/ann?type=semantic',
      '/api/memory/users',
      '/api/memory/export/ann',
      '/api/memory-chat/history/ann/monday',
      '/api/memory-chat/insights/ann',
    ]) {
      const { text } = await ok(call(key, 'GET', path));
      for (const [other, drink] of others) {
        expect([path, text.includes(drink), text.includes(`of ${other}`)]).toEqual([path, false, false]);
      }
      // The names under which the stores keep users are not shown.
      expect(text).not.toMatch(/\\u0001/);
    }
    const found = await ok(call(key, 'POST', '/api/memory/search', { userId: 'ann', query: 'prefer drink' }));
    expect(found.text).toContain(drinks[name]);
    for (const [, drink] of others) expect(found.text).not.toContain(drink);
  }
});

test('no memory of another tenant is reached by its id', async () => {
  const { body } = await ok(
    call(acme, 'POST', '/api/memory/episodic', { userId: 'ann', sessionId: 's', content: 'a secret' }),
  );
  const { id } = body.data as { id: string };
  for (const key of [globex, operator]) {
    for (const [method, path, change] of [
      ['GET', `/api/memory/episodic/${id}`],
      ['PUT', `/api/memory/episodic/${id}`, { content: 'changed' }],
      ['DELETE', `/api/memory/episodic/${id}`],
      ['GET', `/api/memory/related/${id}`],
    ] as const)
      expect([method, (await call(key, method, path, change)).status]).toEqual([method, 404]);
    const related = { userId: 'ann', sessionId: 's', content: 'x', relationships: { related: [id] } };
    expect((await call(key, 'POST', '/api/memory/episodic', related)).status).toBe(400);
  }
  expect((await call(acme, 'GET', `/api/memory/episodic/${id}`)).body.data.content).toBe('a secret');
});

test.each([
  ['that is kept for users of others', '\u0001acme\u0001ann'],
  ['by which no memory could be erased', 'ann\nbob'],
])('no user of the default tenant has a name %s', async (_, userId) => {
  const options = { userId, sessionId: 's' };
  for (const [method, path, body] of [
    ['POST', '/api/agent/execute', { query: 'What do I like to drink?', options }],
    ['POST', '/api/memory-chat/chat', { userId, sessionId: 's', message: 'hello' }],
    ['POST', '/api/intent-classifier/classify', { query: 'hello', options }],
    ['POST', '/api/memory/search', { userId, query: 'drink' }],
    ['GET', `/api/memory/stats/${encodeURIComponent(userId)}`],
    ['DELETE', `/api/memory/clear/${encodeURIComponent(userId)}`],
    ['GET', `/api/runs?userId=${encodeURIComponent(userId)}`],
    ['GET', `/api/approvals?userId=${encodeURIComponent(userId)}`],
    ['POST', '/api/keys', { name: 'x', scopes: ['read'], userId }],
  ] as const)
    expect([path, (await call(operator, method, path, body)).status]).toEqual([path, 400]);
  expect((await call(operator, 'GET', '/api/health')).status).toBe(200);
});

test('runs, their keys and their approvals are those of the tenant', async () => {
  const body = { toolName: 'json_reader', args: { jsonString: '{"a":1}', path: '$.a' } };
  const same = { 'idempotency-key': 'the-same' };
  const started = [];
  for (const [name, key] of everyone()) {
    const { headers } = await ok(call(key, 'POST', '/api/tools/execute', body, same));
    expect(headers.get('idempotent-replayed')).toBeNull();
    const workflowId = headers.get('x-workflow-id') ?? '';
    expect(workflowId.startsWith(`@${name}/`)).toBe(name !== 'operator');
    started.push({ key, traceId: headers.get('x-trace-id') ?? '', workflowId });
  }
  for (const { key, traceId, workflowId } of started) {
    const by = `workflowId=${encodeURIComponent(workflowId)}`;
    for (const other of everyone().map(([, each]) => each)) {
      const status = key === other ? 200 : 404;
      for (const path of [
        `/api/runs/${traceId}?${by}`,
        `/api/runs/${traceId}/wait?${by}`,
        `/api/runs?${by}`,
        `/api/runs/${traceId}/events?${by}`,
      ])
        expect([path, (await call(other, 'GET', path)).status]).toEqual([path, status]);
      if (key !== other)
        expect((await call(other, 'POST', `/api/runs/${traceId}/cancel?${by}`, {})).status).toBe(404);
    }
    const listed = await waitFor(
      async () => {
        const { body: page } = await call(key, 'GET', '/api/runs?limit=500');
        const runs = page.data.runs as { traceId: string; workflowId: string }[];
        return runs.some((run) => run.traceId === traceId) && runs;
      },
      { what: 'the run to be listed' },
    );
    const prefixes = new Set(listed.map((run) => /^@[^/]+\//.exec(run.workflowId)?.[0] ?? ''));
    expect(prefixes).toEqual(new Set([/^@[^/]+\//.exec(workflowId)?.[0] ?? '']));
  }
  const waiting = await call(acme, 'POST', '/api/tools/execute', {
    ...body,
    options: { approval: { tools: 'all' } },
  });
  const [{ id }] = waiting.body.data.approvals as [{ id: string }];
  for (const key of [globex, operator]) {
    expect((await call(key, 'GET', `/api/approvals/${id}`)).status).toBe(404);
    expect((await call(key, 'POST', `/api/approvals/${id}`, { decision: 'approve' })).status).toBe(404);
    expect((await call(key, 'GET', '/api/approvals')).text).not.toContain(id);
  }
  await ok(call(acme, 'POST', `/api/approvals/${id}`, { decision: 'approve' }));
});

test('an erasure is that of one user of one tenant', async () => {
  const count = async (key: string): Promise<number> =>
    (await call(key, 'GET', '/api/memory/stats/zoe')).body.data.episodic.count;
  for (const [, key] of everyone()) {
    const options = { userId: 'zoe', sessionId: 's' };
    await ok(call(key, 'POST', '/api/agent/execute', { query: 'My cat is called Tom', options }));
  }
  const erased = await ok(call(globex, 'DELETE', '/api/memory/clear/zoe'));
  expect(erased.body.data.erased.runs).toBe(1);
  expect([await count(operator), await count(acme), await count(globex)]).toEqual([2, 2, 0]);
});

test('a consolidation is that of one user of one tenant', async () => {
  const event = { userId: 'yan', sessionId: 's', content: 'The shelves are late' };
  for (const [, key] of everyone())
    for (let n = 0; n < 2; n += 1) await ok(call(key, 'POST', '/api/memory/episodic', event));
  const consolidated = await ok(call(acme, 'POST', '/api/memory/consolidate/yan', {}));
  const { id, archived } = consolidated.body.data;
  expect(archived).toBe(1);
  const count = async (key: string): Promise<number> =>
    (await call(key, 'GET', '/api/memory/stats/yan')).body.data.episodic.count;
  expect([await count(operator), await count(acme), await count(globex)]).toEqual([2, 1, 2]);
  const undo = `/api/memory/consolidations/yan/${id}/undo`;
  for (const other of [operator, globex]) {
    expect((await call(other, 'POST', undo, {})).status).toBe(404);
    expect((await call(other, 'GET', '/api/memory/consolidations/yan')).body.data.consolidations).toEqual([]);
  }
  await ok(call(acme, 'POST', undo, {}));
  expect(await count(acme)).toBe(2);
});

test('records are those of the tenant, imports too', async () => {
  const facility = (name: string) => ({
    name,
    kind: 'warehouse',
    address: { street: 'Main 1', city: 'Bern', postalCode: '3000', countryCode: 'CH' },
  });
  const { body } = await records(acme, 'POST', '/api/facilities', facility('Acme Store'));
  const { id } = body.data as { id: string };
  expect((await records(acme, 'GET', `/api/facilities/${id}`)).status).toBe(200);
  const imported = await send(
    'POST',
    `${service.recordsUrl}/api/imports?collection=facilities`,
    facility('Bulk'),
    {
      ...bearer(acme),
      'content-type': 'application/x-ndjson',
    },
  );
  expect(imported.status).toBe(201);
  const { id: importId } = imported.body.data as { id: string };
  await waitFor(
    async () => (await records(acme, 'GET', `/api/imports/${importId}`)).body.data.state === 'completed',
    { what: 'the import to be completed' },
  );
  expect((await records(acme, 'GET', '/api/facilities')).body.data).toMatchObject({ total: 2 });
  for (const key of [globex, operator]) {
    expect((await records(key, 'GET', `/api/facilities/${id}`)).status).toBe(404);
    expect((await records(key, 'PUT', `/api/facilities/${id}`, facility('Mine'))).status).toBe(404);
    expect((await records(key, 'DELETE', `/api/facilities/${id}`)).status).toBe(404);
    expect((await records(key, 'GET', `/api/imports/${importId}`)).status).toBe(404);
    expect((await records(key, 'GET', '/api/facilities')).body.data).toMatchObject({ total: 0 });
  }
  expect(existsSync(join(service.dataDir, 'tenants', 'acme', 'records.db'))).toBe(true);
});

test('administrators of a tenant manage the keys of that tenant, and nothing of the service', async () => {
  const listed = (await ok(call(acme, 'GET', '/api/keys'))).body.data.keys as {
    id: string;
    tenant: string;
  }[];
  expect(new Set(listed.map(({ tenant }) => tenant))).toEqual(new Set(['acme']));
  const made = await ok(call(acme, 'POST', '/api/keys', { name: 'reader', scopes: ['read'] }));
  expect(made.body.data.tenant).toBe('acme');
  const theirs = (await call(operator, 'GET', '/api/keys')).body.data.keys as typeof listed;
  const foreign = theirs.find(({ tenant }) => tenant === 'globex');
  for (const [method, path, body] of [
    ['POST', '/api/keys', { name: 'spy', scopes: ['read'], tenant: 'globex' }],
    ['POST', '/api/agent/initialize', {}],
    ['POST', '/api/memory-chat/initialize', {}],
    ['POST', '/api/intent-classifier/initialize', {}],
    ['POST', '/api/memory/reindex', {}],
  ] as const)
    expect([path, (await call(acme, method, path, body)).status]).toEqual([path, 403]);
  expect((await call(acme, 'POST', `/api/keys/${foreign?.id}/rotate`)).status).toBe(404);
  expect((await call(acme, 'DELETE', `/api/keys/${foreign?.id}`)).status).toBe(404);
  expect(
    (await call(operator, 'POST', '/api/keys', { name: 'x', scopes: ['read'], tenant: 'No!' })).status,
  ).toBe(400);
});

test('if there are as many tenants as there may be, neither API has another one', async () => {
  const { key } = await runKeys<Key>(
    service.dataDir,
    ...['create', '--name', 'more', '--tenant', 'one-more', '--scopes', 'read,records'],
  );
  const documents = createDocumentStore({ path: join(service.dataDir, 'holdfast.db') });
  await documents.write(
    Array.from({ length: MAX_TENANTS }, (_, at) => ({
      type: 'put' as const,
      collection: TENANT_COLLECTION,
      key: `t${at}`,
      value: {},
    })),
  );
  await documents.close();
  for (const answer of [await call(key, 'GET', '/api/tools'), await records(key, 'GET', '/api/facilities')])
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('tenants already')]);
  expect((await records(acme, 'GET', '/api/facilities')).status).toBe(200);
});
