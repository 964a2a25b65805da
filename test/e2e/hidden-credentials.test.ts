import { randomBytes, randomUUID } from 'node:crypto';
import type { Approval } from '../../src/contracts/http/approvals';
import { answerApproval, approvalsIn, untilEnded, untilListed } from '../support/approvals';
import { collectEvents, openEvents } from '../support/event-stream';
import { type Answer, request } from '../support/http';
import { callForTask, connectMcp, type McpConnection, taskIn, taskRequest, TASKS } from '../support/mcp';
import type { PartProcess } from '../support/process';
import { type Api, openStage, type Stage } from '../support/stage';
import { sendJson, startStubPeer, type StubPeer } from '../support/stub-peer';
import { customBody, fetchStep } from '../support/workflow-steps';

/** A name that only the setting makes that of a credential. */
const REDACT_FIELDS = 'X-Account-Number';
const LOG_LEVEL = 'debug';

/** Makes an answer larger than results that are read into memory. */
const ROWS = Array.from({ length: 30_000 }, (_, row) => ({
  row,
  about: `this is the row ${row} of a long list`,
}));

let stage: Stage;
let api: Api;
let worker: PartProcess;
/** Answers with what it was sent. */
let echo: StubPeer;
let mcp: McpConnection;

beforeAll(async () => {
  stage = await openStage();
  echo = await startStubPeer(({ path, headers, body }, response) => {
    response.setHeader('x-session-token', plant('response'));
    sendJson(response, 200, {
      path,
      headers,
      body: JSON.parse(body) as unknown,
      ...(path.startsWith('/large') ? { rows: ROWS } : {}),
    });
  });
  const env = { REDACT_FIELDS, LOG_LEVEL };
  [api, worker] = await Promise.all([stage.api(env), stage.worker(env)]);
  const tool = { name: 'login', execute: '(args) => { throw new Error(`${args.password} is wrong`) }' };
  expect((await api.post('/api/tools/register', tool)).status).toBe(201);
  const capabilities = { elicitation: {}, extensions: { [TASKS]: {} } };
  mcp = await connectMcp(api.url, 'modern', { capabilities });
});
afterAll(async () => {
  await mcp.close();
  await echo.close();
  await stage.close();
});

const planted = new Set<string>();
function plant(where: string): string {
  const text = `planted-${where}-${randomBytes(6).toString('hex')}`;
  planted.add(text);
  return text;
}

/** The arguments of a request, with credentials in each place that may have one. */
function requestArgs(url = echo.url) {
  return {
    url: `${url}/orders?page=1&api_key=${plant('query')}`,
    method: 'POST',
    headers: {
      Authorization: `Bearer ${plant('bearer')}`,
      Cookie: `sid=${plant('cookie')}; theme=dark`,
      'X-Api-Key': plant('key'),
      'X-Auth-Token': plant('token'),
      'X-Account-Number': plant('account'),
      'X-Shown': 'this header is shown',
    },
    body: {
      user: 'this user is shown',
      password: plant('password'),
      nested: { client_secret: plant('secret'), list: [{ refreshToken: plant('refresh') }] },
      credentials: { login: plant('login'), pin: plant('pin') },
      form: `a=1&passwd=${plant('form')}`,
      json: `{"api_key":"${plant('json')}","n":1}`,
      usage: { totalTokens: 5, nextPageToken: 'this token is shown' },
    },
  };
}

function expectNone(text: string): void {
  expect([...planted].filter((one) => text.includes(one))).toEqual([]);
}

/** Everything that is shown of a run. */
async function shownOf(traceId: string): Promise<string> {
  const path = `/api/runs/${traceId}`;
  const stream = await collectEvents(await openEvents(`${api.url}${path}/events`));
  const [record, waited, events] = await Promise.all([
    api.get(path),
    api.get(`${path}/wait`),
    request(`${api.url}${path}/events`, { headers: { accept: 'application/json' } }),
  ]);
  expect([record.status, waited.status, events.status]).toEqual([200, 200, 200]);
  expect(events.body.data.events).toEqual(stream.map(({ data }) => data as unknown));
  const resource = await mcp.client.readResource({ uri: `holdfast://runs/${traceId}` });
  return [record.text, waited.text, events.text, JSON.stringify(stream), JSON.stringify(resource)].join('\n');
}

const idOf = ({ headers }: Answer): string => headers.get('x-trace-id') ?? '';
const execute = (body: object, key: string = randomUUID()): Promise<Answer> =>
  api.post('/api/tools/execute', body, { 'idempotency-key': key });

/** Whether the last request at the server had the originals. */
function expectSent(args: ReturnType<typeof requestArgs>): void {
  const { path, headers, body } = echo.requests.at(-1)!;
  expect(path).toBe(args.url.slice(echo.url.length));
  const sent = Object.entries(args.headers).map(([name, value]) => [name.toLowerCase(), value]);
  expect(headers).toMatchObject(Object.fromEntries(sent));
  expect(JSON.parse(body)).toEqual(args.body);
}

test('a call that succeeds sends its credentials, its caller has the whole answer, and nobody else sees them', async () => {
  const args = requestArgs();
  const key = randomUUID();
  const answer = await execute({ toolName: 'api_call', args }, key);
  expectSent(args);
  expect(answer.body.data.result.data.body).toEqual(args.body);
  expect((await execute({ toolName: 'api_call', args }, key)).body.data).toEqual(answer.body.data);
  const shown = await shownOf(idOf(answer));
  expectNone(shown);
  for (const text of ['this header is shown', 'this user is shown', 'this token is shown', '[hidden]'])
    expect(shown).toContain(text);
});

test('a large result, which is sent as it is stored, shows none either', async () => {
  const args = requestArgs(`${echo.url}/large`);
  const answer = await execute({ toolName: 'api_call', args });
  expect(answer.text.length).toBeGreaterThan(1_048_576);
  expect(answer.body.data.result.data.body).toEqual(args.body);
  const shown = await shownOf(idOf(answer));
  expectNone(shown);
  expect(shown).toContain('this is the row 29999 of a long list');
});

test.each([
  [
    'whose server cannot be reached',
    () => ({ toolName: 'api_call', args: requestArgs('http://127.0.0.1:1') }),
  ],
  ['whose tool repeats what it refuses', () => ({ toolName: 'login', args: { password: plant('thrown') } })],
])('the error of a call %s has no credentials', async (_which, call) => {
  for (const path of ['/api/tools/execute', '/api/tools/execute-multiple', '/api/tools/execute-sequential']) {
    const one = call();
    const answer = await api.post(path, path.endsWith('execute') ? one : { tools: [call()] });
    expect(answer.text).toContain(one.toolName);
    expectNone(answer.text);
    expectNone(await shownOf(idOf(answer)));
  }
});

test('a call whose URL has a password is refused, and the refusal does not show it', async () => {
  const call = { toolName: 'api_call', args: { url: `http://me:${plant('userinfo')}@h/` } };
  for (const [path, body] of [
    ['/api/tools/execute', call],
    ['/api/tools/execute-multiple', { tools: [call] }],
    ['/api/tools/execute-sequential', { tools: [call] }],
  ] as const) {
    const answer = await api.post(path, body);
    expect([answer.status, answer.body.details.field]).toEqual([400, expect.stringMatching(/args\.url$/)]);
    expectNone(answer.text);
  }
});

test('a workflow whose input is a header shows it nowhere', async () => {
  const header = `Bearer ${plant('input')}`;
  const step = (id: string, url: string, more = {}) =>
    fetchStep(id, url, { method: 'POST', headers: { Authorization: '{{auth}}' }, body: {} }, more);
  const steps = [
    step('works', echo.url, { approval: true }),
    step('fails', 'http://127.0.0.1:1/', { dependsOn: ['works'] }),
  ];
  const key = randomUUID();
  const start = (): Promise<Answer> =>
    api.post('/api/workflow/execute-custom', customBody(steps, { auth: header }), { 'idempotency-key': key });
  const asked = await start();
  const [approval] = approvalsIn(asked);
  expect(approval?.args).toMatchObject({ headers: { Authorization: '[hidden]' } });
  const args = { ...(approval?.args as object), url: `${echo.url}/other` };
  expect((await answerApproval(api, approval!, { decision: 'approve', args })).status).toBe(200);
  const ended = await untilEnded(start);
  expect([ended.status, echo.requests.at(-1)?.path]).toEqual([500, '/other']);
  expect(echo.requests.at(-1)?.headers.authorization).toBe(header);
  expectNone(asked.text + ended.text + (await shownOf(idOf(ended))));
});

test('an approval shows no credentials, and takes back the mark for the original and for nothing else', async () => {
  const args = requestArgs();
  const key = randomUUID();
  const call = { toolName: 'api_call', args, options: { approval: { tools: 'all' } } };
  const asked = await execute(call, key);
  const [approval] = approvalsIn(asked) as [Approval];
  const traceId = idOf(asked);
  await untilListed(api, `status=pending&runId=${traceId}`, 1);
  const link = (await api.post(`/api/approvals/${approval.id}/links`, {})).body.data.url as string;
  const views = await Promise.all([
    api.get(`/api/approvals?runId=${traceId}`),
    api.get(`/api/approvals/${approval.id}`),
    api.get(`/api/runs/${traceId}`),
    request(link),
  ]);
  for (const { status, text } of views) {
    expect(status).toBe(200);
    expectNone(text);
  }
  expectNone(asked.text);
  expect(views[3].text).toContain('[hidden]');
  const shown = approval.args as ReturnType<typeof requestArgs>;

  const refused: [object, string][] = [
    [{ ...shown, headers: { ...shown.headers, 'X-Shown': '[hidden]' } }, 'args.headers.X-Shown'],
    [{ ...shown, headers: { ...shown.headers, 'X-Other-Token': '[hidden]' } }, 'args.headers.X-Other-Token'],
    [{ ...shown, url: shown.url.replace(echo.url, stage.peer.url) }, 'args'],
  ];
  for (const [wrong, field] of refused) {
    const answer = await answerApproval(api, approval, { decision: 'approve', args: wrong });
    expect([answer.status, answer.body.details.field]).toEqual([400, field]);
  }
  const changed = {
    decision: 'approve',
    args: {
      ...shown,
      url: shown.url.replace('page=1', 'page=2'),
      headers: { ...shown.headers, 'X-Api-Key': plant('new') },
      body: { ...shown.body, user: 'another user' },
    },
  };
  const answered = await answerApproval(api, approval, changed);
  expect(answered.status).toBe(200);
  const again = await answerApproval(api, approval, changed);
  expect([again.status, again.body.data]).toEqual([200, answered.body.data]);
  await untilEnded(() => execute(call, key));
  expectSent({
    url: args.url.replace('page=1', 'page=2'),
    method: args.method,
    headers: { ...args.headers, 'X-Api-Key': changed.args.headers['X-Api-Key'] },
    body: { ...args.body, user: 'another user' },
  });
  const after = await Promise.all([
    api.get(`/api/approvals?runId=${traceId}`),
    api.get(`/api/approvals/${approval.id}`),
    request(link),
  ]);
  expectNone(
    [answered.text, again.text, ...after.map(({ text }) => text), await shownOf(traceId)].join('\n'),
  );
});

test('a patch keeps the credentials that it does not name, and takes them nowhere else', async () => {
  const args = requestArgs();
  const key = randomUUID();
  const call = { toolName: 'api_call', args, options: { approval: { tools: 'all' } } };
  const [approval] = approvalsIn(await execute(call, key)) as [Approval];
  const { url } = approval.args as ReturnType<typeof requestArgs>;
  const refused: [object, string][] = [
    [{ url: url.replace(echo.url, stage.peer.url) }, 'patch'],
    [{ body: { note: args.url.replace(echo.url, stage.peer.url) } }, 'patch'],
    [{ headers: { 'X-Other-Token': '[hidden]' } }, 'patch.headers.X-Other-Token'],
  ];
  for (const [patch, field] of refused) {
    const answer = await answerApproval(api, approval, { decision: 'approve', patch });
    expect([patch, answer.status, answer.body.details.field]).toEqual([patch, 400, field]);
  }
  const patch = {
    url: url.replace('page=1', 'page=2'),
    headers: { Cookie: null },
    body: { user: 'another' },
  };
  const answered = await answerApproval(api, approval, { decision: 'approve', patch });
  expect(answered.status).toBe(200);
  await untilEnded(() => execute(call, key));
  const { Cookie: _, ...headers } = args.headers;
  expectSent({
    url: args.url.replace('page=1', 'page=2'),
    method: args.method,
    headers: headers as typeof args.headers,
    body: { ...args.body, user: 'another' },
  });
  expect(echo.requests.at(-1)?.headers.cookie).toBeUndefined();
  const { body } = await api.get(`/api/approvals/${approval.id}`);
  expect(body.data.proposedArgs).toEqual(approval.args);
  expectNone(JSON.stringify([answered.body, body]));
});

test('a question shows no credentials, those of the settings neither', async () => {
  const inputs = {
    apiKey: plant('asked'),
    account: plant('asked'),
    user: { 'X-Account-Number': plant('asked'), pin: 1 },
    plain: plant('asked'),
    header: `Bearer ${plant('asked')}`,
  };
  const message =
    '{{apiKey}} {{input.user}} {{user["X-Account-Number"]}} {{plain}} {{input.header}} {{account}}';
  const headers = { 'X-Api-Key': '{{plain}}', 'X-Account-Number': '{{account}}' };
  const step = fetchStep('asked', echo.url, { headers }, { approval: { message } });
  const asked = await api.post('/api/workflow/execute-custom', customBody([step], inputs));
  const [approval] = approvalsIn(asked) as [Approval];
  const hidden = '[hidden]';
  expect(approval.message).toBe(
    `${hidden} {"X-Account-Number":"${hidden}","pin":1} ${hidden} ${hidden} Bearer ${hidden} ${hidden}`,
  );
  const link = (await api.post(`/api/approvals/${approval.id}/links`, {})).body.data.url as string;
  expectNone(asked.text + (await request(link)).text + (await api.get('/api/approvals')).text);
  await answerApproval(api, approval, { decision: 'deny' });
  await shownOf(idOf(asked)).then(expectNone);
});

test('a task asks without credentials, and its result is whole', async () => {
  const args = requestArgs();
  const tool = { name: 'guarded_call', execute: '(args) => args', requiresApproval: true };
  expect((await api.post('/api/tools/register', tool)).status).toBe(201);
  const task = await callForTask(api.url, tool.name, args);
  const waiting = await taskIn(mcp, task.taskId, 'input_required');
  expectNone(JSON.stringify([task, waiting]));
  expect(JSON.stringify(waiting)).toContain('[hidden]');
  const inputResponses = Object.fromEntries(
    Object.keys(waiting.inputRequests as object).map((id) => [
      id,
      { action: 'accept', content: { confirm: true } },
    ]),
  );
  await taskRequest(mcp, 'tasks/update', { taskId: task.taskId, inputResponses });
  const { result } = await taskIn(mcp, task.taskId, 'completed');
  expect(result.structuredContent).toEqual(args);
  expectNone(await shownOf(result._meta['holdfast/runId'] as string));
});

test('a call of an MCP client that fails says nothing of them', async () => {
  // A client that takes tasks would be given one if the call took long.
  const plain = await connectMcp(api.url, 'modern');
  const failed = await plain.client.callTool({ name: 'login', arguments: { password: plant('mcp') } });
  await plain.close();
  expect(failed.isError).toBe(true);
  expectNone(JSON.stringify(failed));
});

test('no line of the log has one', () => {
  expect(planted.size).toBeGreaterThan(20);
  for (const { lines, output } of [api.process, worker]) {
    expect(lines.length).toBeGreaterThan(5);
    expectNone(JSON.stringify(lines) + output());
  }
});
