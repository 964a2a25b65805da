import { type Service, startService } from '../support/service';
import { sendJson, startStubPeer, type StubPeer } from '../support/stub-peer';
import { filesWith, historyTexts } from '../support/history-texts';
import { connectTemporal } from '../support/temporal-client';
import { answerApproval, approvalsIn } from '../support/approvals';
import { customBody, resultsOf, sumStep, toolStep } from '../support/workflow-steps';

const KEY = 'planted-shop-key-5f1c';
/** Of a header whose name does not say that it is a credential. */
const SIGN = 'planted-sign-81c4';
const SECRET = `Bearer ${KEY}`;

let service: Service;
let shop: StubPeer;
/** How many times the shop still answers that it is busy. */
let busy = 0;

beforeAll(async () => {
  shop = await startStubPeer(({ path, headers, body, method }, response) => {
    if (busy > 0) {
      busy -= 1;
      return sendJson(response, 503, { error: 'busy' });
    }
    if (path.startsWith('/refused'))
      return sendJson(response, 403, {
        error: `the key ${headers.authorization} of ${String(headers['x-shop-sign'])} is wrong`,
      });
    if (path.startsWith('/bytes'))
      return void response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from([0, 1]));
    if (path.startsWith('/gone')) return void response.writeHead(204).end();
    if (path.startsWith('/many'))
      return sendJson(response, 200, {
        items: Array.from({ length: 30_000 }, (_, id) => ({ id, name: `item ${id}` })),
      });
    return sendJson(response, method === 'POST' ? 201 : 200, {
      path,
      body: body === '' ? null : (JSON.parse(body) as unknown),
      key: headers['idempotency-key'] ?? null,
    });
  });
  service = await startService();
});
afterAll(async () => {
  await service.stop();
  await shop.close();
});

async function register(name: string, http: object, more: object = {}): Promise<void> {
  const { status, body } = await service.post('/api/tools/register', {
    name,
    parameters: { id: 'string', note: { type: 'string', required: false } },
    http,
    ...more,
  });
  expect([status, body.error]).toEqual([201, undefined]);
}
const run = (toolName: string, args: object) => service.post('/api/tools/execute', { toolName, args });

test('a request is sent with the arguments in their places, and its body is the result', async () => {
  await register('order', {
    method: 'POST',
    url: `${shop.url}/orders/{{args.id}}`,
    query: { note: '{{args.note}}' },
    headers: { Authorization: SECRET, 'X-Order': '{{args.id}}' },
    body: { id: '{{args.id}}', all: '{{args}}' },
  });
  const { status, body } = await run('order', { id: 'a/1' });
  expect([status, body.data?.result]).toEqual([
    200,
    {
      path: '/orders/a%2F1',
      body: { id: 'a/1', all: { id: 'a/1' } },
      key: expect.stringMatching(/^[0-9a-f-]{36}$/),
    },
  ]);
  expect(shop.requests.at(-1)?.headers).toMatchObject({ authorization: SECRET, 'x-order': 'a/1' });
  expect((await run('order', { id: 'b', note: 'x y' })).body.data.result.path).toBe('/orders/b?note=x%20y');
});

test('headers are shown nowhere: not in lists, histories, files or errors', async () => {
  await register('refused', {
    url: `${shop.url}/refused`,
    headers: { Authorization: SECRET, 'X-Shop-Sign': SIGN },
  });
  const failed = await run('refused', { id: '1' });
  expect([failed.status, failed.body.error]).toEqual([
    500,
    expect.stringContaining('answered 403; expected: "2xx"'),
  ]);
  const shown = [
    failed.text,
    (await service.get('/api/tools')).text,
    (await service.get('/api/tools/refused')).text,
  ];
  const listed = await service.get('/api/runs?status=failed');
  const [failedRun] = listed.body.data.runs as { runId: string; workflowId: string }[];
  shown.push((await service.get(`/api/runs/${failedRun?.runId}`)).text);
  const { client, close } = await connectTemporal();
  try {
    shown.push(await historyTexts(client, failedRun?.workflowId ?? ''));
  } finally {
    await close();
  }
  for (const hidden of [KEY, SIGN]) {
    for (const text of shown) expect(text).not.toContain(hidden);
    expect(filesWith(hidden, service.dataDir)).toEqual([]);
  }
});

test('a query chooses what becomes the result, of large bodies too', async () => {
  await register('many', { url: `${shop.url}/many`, output: '$.items[29999].name' });
  expect((await run('many', { id: '1' })).body.data.result).toBe('item 29999');
  await register('all', { url: `${shop.url}/many` });
  expect((await run('all', { id: '1' })).body.data.result.items).toHaveLength(30_000);
  await register('none', { url: `${shop.url}/orders`, output: '$.nothing' });
  expect((await run('none', { id: '1' })).body.error).toBe('There is nothing at $.nothing');
  await register('bytes', { url: `${shop.url}/bytes` });
  expect((await run('bytes', { id: '1' })).body.data.result).toEqual({ data: 'AAE=', encoding: 'base64' });
  await register('gone', { url: `${shop.url}/gone` });
  expect((await run('gone', { id: '1' })).body.data.result).toBeNull();
});

test('a request that may change something is sent once, unless it is repeatable', async () => {
  const http = { method: 'POST', url: `${shop.url}/pay/{{args.id}}` };
  await register('pay', http);
  busy = 1;
  expect((await run('pay', { id: 'once' })).status).toBe(500);
  expect(shop.count('/pay/once')).toBe(1);
  await register('pay', http, { repeatable: true });
  busy = 1;
  const paid = await run('pay', { id: 'twice' });
  expect(paid.status).toBe(200);
  const keys = shop.requests
    .filter(({ path }) => path === '/pay/twice')
    .map(({ headers }) => headers['idempotency-key']);
  expect(keys).toEqual([paid.body.data.result.key, paid.body.data.result.key]);
});

test('is a step of a workflow, and waits for a person where calls that change something do', async () => {
  await register('close', { method: 'DELETE', url: `${shop.url}/orders/{{args.id}}` });
  const steps = [sumStep('first', 1, 2), toolStep('close', 'close', { id: '{{first.result}}' })];
  const ended = await service.post('/api/workflow/execute-custom', customBody(steps));
  expect(resultsOf(ended)['close']).toMatchObject({ path: '/orders/3' });
  const options = { approval: { tools: 'changing' } };
  const waiting = await service.post('/api/tools/execute', { toolName: 'close', args: { id: '4' }, options });
  const [approval] = approvalsIn(waiting);
  await answerApproval(service, { id: String(approval?.id) }, { decision: 'deny' });
  expect(shop.count('/orders/4')).toBe(0);
  await register('read', { url: `${shop.url}/orders/{{args.id}}` });
  const read = await service.post('/api/tools/execute', { toolName: 'read', args: { id: '5' }, options });
  expect(read.status).toBe(200);
});

test.each([
  [{ execute: '() => 1', http: { url: 'https://shop.test/' } }, 'http'],
  [{ execute: '() => 1', repeatable: true }, 'repeatable'],
  [{ http: { url: 'https://{{args.id}}/' } }, 'http.url'],
  [{ http: { url: 'https://shop.test/{{args.nobody}}' } }, 'http.url'],
  [{ http: { url: 'https://shop.test/', method: 'TRACE' } }, 'http.method'],
  [{ http: { url: 'https://shop.test/', headers: { 'X-A': 'a\r\nB: c' } } }, 'http.headers'],
  [{ http: { url: 'https://shop.test/', proxy: 'p' } }, 'http.proxy'],
])('refuses to register %j', async (rest, field) => {
  const { status, body } = await service.post('/api/tools/register', {
    name: 'bad',
    parameters: { id: 'string' },
    ...rest,
  });
  expect([status, body.details?.field]).toEqual([400, field]);
});

test('an address that may not be reached is refused, and a header takes no line break', async () => {
  await register('meta', { url: 'http://169.254.169.254/{{args.id}}' });
  expect((await run('meta', { id: 'latest' })).body.error).toContain('169.254.169.254');
  await register('broken', { url: shop.url, headers: { 'X-Id': '{{args.id}}' } });
  const before = shop.requests.length;
  expect((await run('broken', { id: 'a\r\nX-Other: b' })).body.error).toContain('invalid characters');
  await register('path', { url: `${shop.url}/orders/{{args.id}}` });
  expect((await run('path', { id: '..' })).body.error).toContain('segment "." or ".."');
  expect(shop.requests).toHaveLength(before);
});
