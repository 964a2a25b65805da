import { argumentChecks } from '../../../support/argument-checks';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { createApp } from '../../../../api/app';
import { linkPages } from '../../../../api/approvals/link-pages';
import { LINK_PATH, linkRoute } from '../../../../api/approvals/link-route';
import { type HttpServer, listen } from '../../../../api/http/server';
import { HoldfastError } from '../../../../src/base/errors';
import type { Engine } from '../../../../temporal/engine';
import { type Answer, request, send } from '../../../support/http';
import { createApprovalLinks } from '../../../../src/secrets/signed-texts';

const QUESTION = {
  kind: 'tool',
  runId: 'run',
  step: '1',
  toolName: 'calculator',
  args: { a: 1 },
  requestedAt: '2026-11-23T15:22:47.018Z',
  deadline: '2100-01-01T00:00:00.000Z',
  onDeadline: 'deny',
};
const ID = Buffer.from('an-approval').toString('base64url');
const links = createApprovalLinks(Buffer.alloc(32, 1));
const IN_A_MINUTE = Date.now() + 60_000;
const token = links.sign({ approvalId: ID, expiresAt: IN_A_MINUTE, by: 'ada' });
const away = new HoldfastError('ENGINE_UNAVAILABLE', 'Temporal is not reachable', { retryable: true });

let memo: object;
let updates: unknown[];
/** What happens when the answer reaches the server. */
let update: () => Promise<unknown>;
let isAway: boolean;
let log: string[];
let server: HttpServer;

const handle = {
  describe: () =>
    Promise.resolve({
      workflowId: 'an-approval',
      type: 'approval',
      taskQueue: 'q',
      memo,
      status: { name: 'outcome' in memo ? 'COMPLETED' : 'RUNNING' },
    }),
  executeUpdate(_name: string, { args }: { args: unknown[] }) {
    updates.push(...args);
    return update();
  },
};
const engine = {
  current() {
    if (isAway) throw away;
    return {
      native: { withDeadline: (_: number, call: () => unknown) => call() },
      client: { workflow: { getHandle: () => handle } },
    };
  },
} as unknown as Engine;

async function open(publicUrl?: string): Promise<HttpServer> {
  const ports = { engine, taskQueue: 'q', links };
  const app = createApp({
    config: { loopback: true, ALLOWED_HOSTS: [], MAX_BODY_BYTES: 100_000 },
    logger: pino({ level: 'trace' }, { write: (line) => void log.push(line) }),
    routes: [linkRoute({ ...ports, publicUrl })],
    pages: linkPages({ ...ports, budgets: { check: () => undefined }, argumentChecks }),
    info: { title: 'test', description: '' },
    isReady: () => true,
  });
  return listen(app, { host: '127.0.0.1', port: 0, portSetting: 'PORT' });
}

beforeEach(async () => {
  [memo, updates, isAway, log] = [{ question: QUESTION }, [], false, []];
  update = () => Promise.resolve({ status: 'approved', decision: 'approve', by: 'ada' });
  server = await open();
});
afterEach(() => server.close(0));

const address = (text = token): string => `${server.url}${LINK_PATH}/${text}`;
const submit = (form: string, text?: string, headers: Record<string, string> = {}): Promise<Answer> =>
  request(address(text), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: form,
  });

test('a page has no script, loads nothing, is in no frame and no cache, and passes its address on to no other server', async () => {
  const { status, headers, text } = await request(address());
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
  );
  expect(headers.get('referrer-policy')).toBe('same-origin');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(text).not.toMatch(/<script|src=|href=|@import|url\(/);
});

test.each(['GET', 'HEAD'])('%s answers nothing', async (method) => {
  const { status, text } = await request(address(), { method });
  expect([status, text === '', updates]).toEqual([200, method === 'HEAD', []]);
});

test('an answer has the name of the link and the comment, as a browser sends it', async () => {
  const page = await submit('decision=approve&comment=+two%0D%0Alines+&by=eve&patch=%7B%7D');
  expect([page.status, updates]).toEqual([200, [{ decision: 'approve', by: 'ada', comment: 'two\nlines' }]]);
  expect(page.text).toContain('Your answer was accepted');
});

describe('the arguments', () => {
  const approve = (args: string): Promise<Answer> =>
    submit(new URLSearchParams({ decision: 'approve', comment: 'as <agreed>', args }).toString());
  beforeEach(() => {
    const parameters = { a: { type: 'number', required: true }, token: { type: 'string', required: false } };
    memo = { question: { ...QUESTION, args: { a: 1, token: 'secret-1' }, parameters } };
  });

  test('are a field of the form, without credentials', async () => {
    const { text } = await request(address());
    expect(text).toContain('{\n  &quot;a&quot;: 1,\n  &quot;token&quot;: &quot;[hidden]&quot;\n}</textarea>');
    expect(text).not.toContain('secret-1');
  });

  test.each(['{\r\n  "a": 1,\r\n  "token": "[hidden]"\r\n}', ' {"token":"[hidden]","a":1.0}'])(
    'that are as they were shown are not sent: %j',
    async (args) => {
      expect((await approve(args)).status).toBe(200);
      expect(updates).toEqual([{ decision: 'approve', comment: 'as <agreed>', by: 'ada' }]);
    },
  );

  test('that were changed are sent, with the credentials that were hidden', async () => {
    expect((await approve('{"token": "[hidden]", "a": 2}')).status).toBe(200);
    expect(updates).toEqual([
      { decision: 'approve', comment: 'as <agreed>', by: 'ada', args: { a: 2, token: 'secret-1' } },
    ]);
  });

  test.each([
    ['{"a":\n\n 2,}', 'in line 3'],
    ['', 'args: cannot be read'],
    ['[]', 'args: must be an object'],
    ['null', 'args: must be an object'],
    ['{"a":"<2>"}', 'args.a: must be a finite number, got a string'],
    ['{"a":2,"b":1}', 'args.b: is not an argument of this tool'],
    ['{"a":2,"a":3}', 'the name &quot;a&quot; stands twice'],
    ['{"a":12345678901234567890}', 'cannot be kept with all its digits'],
    ['{"a":1e400}', 'cannot be kept with all its digits'],
    ['{"a":2,"__proto__":{}}', 'is not accepted'],
    ['{"a":2,"token":"x [hidden]"}', 'args.token: has &quot;[hidden]&quot;'],
    [`${'{"a":'.repeat(300)}1${'}'.repeat(300)}`, 'nested deeper'],
  ])('form %# is refused with the problem and what was typed, and answers nothing', async (args, problem) => {
    const { status, text, headers } = await approve(args);
    expect([status, updates]).toEqual([400, []]);
    expect(text).toContain(problem);
    const escaped = args.replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    expect(text).toContain(`>${escaped}</textarea>`);
    expect(text).toContain('as &lt;agreed&gt;</textarea>');
    expect(text).toContain('<h2>Proposed arguments</h2>');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  test('are of no meaning where the call is denied', async () => {
    expect((await submit('decision=deny&args=nonsense')).status).toBe(200);
    expect(updates).toEqual([{ decision: 'deny', by: 'ada' }]);
  });

  test('that were sent twice are refused', async () => {
    const { status, text } = await submit('decision=approve&args=%7B%7D&args=%7B%22a%22%3A2%7D');
    expect([status, text.includes('args: must be there once'), updates]).toEqual([400, true, []]);
  });

  test('that are too long are not in the form, and the page says so', async () => {
    memo = { question: { ...QUESTION, args: 'left out: 20000 characters of JSON' } };
    const { text } = await request(address());
    expect(text).toContain('too long to be shown or changed here (left out: 20000 characters of JSON)');
    expect(text).not.toContain('name="args"');
    expect((await submit('decision=approve&args=%7B%7D')).status).toBe(400);
    expect((await submit('decision=approve')).status).toBe(200);
    expect(updates).toEqual([{ decision: 'approve', by: 'ada' }]);
  });

  test('of 16,384 characters that a form sends with nine bytes each fit into it', async () => {
    const args = { a: 1, token: '\u4e00'.repeat(16_000) };
    expect((await approve(JSON.stringify(args))).status).toBe(200);
    expect(updates).toMatchObject([{ args }]);
  });
});

describe('a budget', () => {
  const args = { limit: 'maxToolCalls', used: 3, limits: { maxToolCalls: 3 } };
  beforeEach(() => {
    const { toolName: _, ...question } = QUESTION;
    memo = { question: { ...question, kind: 'budget', step: 'budget-1', args } };
  });

  test('is asked for with the limit that was reached', async () => {
    const { text } = await request(address());
    expect(text).toContain('New maxToolCalls, more than 3');
  });

  test('is raised by the form', async () => {
    expect((await submit('decision=approve&max=5')).status).toBe(200);
    expect(updates).toEqual([{ decision: 'approve', by: 'ada', budget: { maxToolCalls: 5 } }]);
  });

  test('is denied without a number', async () => {
    expect((await submit('decision=deny&max=')).status).toBe(200);
    expect(updates).toEqual([{ decision: 'deny', by: 'ada' }]);
  });

  test.each(['', 'max=', 'max=3', 'max=much', 'max=4.5'])('is not raised by "%s"', async (max) => {
    const { status, text } = await submit(`decision=approve&${max}`);
    expect([status, updates]).toEqual([400, []]);
    expect(text).toContain('maxToolCalls');
  });
});

test.each<[string, string]>([
  ['', 'decision: Invalid option'],
  ['comment=x', 'decision: Invalid option'],
  ['decision=maybe', 'decision: Invalid option'],
  ['decision=approve&decision=deny', 'decision: must be there once'],
  [`decision=deny&comment=${'x'.repeat(1_001)}`, 'comment: must have at most 1000 characters'],
])('the form "%.40s" is refused', async (form, problem) => {
  const { status, text, headers } = await submit(form);
  expect([status, updates]).toEqual([400, []]);
  expect(text).toContain(problem);
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
});

test('a body that is not a form is refused', async () => {
  const json = await send('POST', address(), { decision: 'approve' });
  expect([json.status, json.text.includes('is not a form')]).toEqual([400, true]);
  const none = await request(address(), { method: 'POST' });
  expect(none.status).toBe(400);
  const text = await submit('decision=approve', token, { 'content-type': 'text/plain' });
  expect(text.status).toBe(415);
  expect(updates).toEqual([]);
});

test('a form that is too large is refused before it is read', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '262145' };
  const asked = httpRequest(address(), { method: 'POST', headers });
  asked.flushHeaders();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const page = await text(response);
  asked.destroy();
  expect([response.statusCode, updates]).toEqual([413, []]);
  expect(page).toContain('<h1>Request body too large</h1>');
});

test('forms are refused everywhere else', async () => {
  const answer = await request(`${server.url}/api/approvals/${ID}/links`, {
    method: 'POST',
    body: new URLSearchParams({ by: 'ada' }),
  });
  expect(answer.status).toBe(415);
});

test.each([
  ['GET', '', 404],
  ['POST', '', 404],
  ['GET', links.sign({ approvalId: ID, expiresAt: Date.now() - 1 }), 410],
  ['POST', links.sign({ approvalId: ID, expiresAt: Date.now() - 1 }), 410],
])('%s of a link that is altered or has expired', async (method, expired, code) => {
  const text = expired === '' ? `${token.slice(0, -1)}_` : expired;
  const { status, headers } =
    method === 'GET' ? await request(address(text)) : await submit('decision=deny', text);
  expect([status, headers.get('content-type'), updates]).toEqual([code, 'text/html; charset=utf-8', []]);
});

test.each([
  ['GET', 200],
  ['POST', 410],
])('%s after the end says how it ended', async (method, code) => {
  memo = { question: QUESTION, outcome: { status: 'approved', decision: 'approve', by: 'bob' } };
  const { status, text } = method === 'GET' ? await request(address()) : await submit('decision=approve');
  expect([status, updates]).toEqual([code, []]);
  expect(text).toMatch(/<b>approved<\/b> by <b>bob<\/b>/);
  expect(text).not.toContain('<form');
});

test('another answer that comes first, between look-up and answer, is shown', async () => {
  update = () => {
    memo = { question: QUESTION, outcome: { status: 'denied', decision: 'deny', by: 'bob' } };
    return Promise.reject(new HoldfastError('APPROVAL_ANSWERED', 'was answered'));
  };
  const { status, text } = await submit('decision=approve');
  expect([status, text.includes('<b>denied</b> by <b>bob</b>')]).toEqual([410, true]);
});

test.each(['GET', 'POST'])('%s while the engine is away asks to try again', async (method) => {
  isAway = true;
  const { status, headers, text } =
    method === 'GET' ? await request(address()) : await submit('decision=deny');
  expect([status, headers.get('retry-after')]).toEqual([503, '1']);
  expect(text).toContain('Please try again in a moment');
});

test('no log line has the token, or an address with it', async () => {
  await request(address());
  await submit('decision=approve');
  await submit('decision=maybe');
  for (const path of [
    address(),
    `${address()}/`,
    `${address()}/more`,
    address().replace('approvals', 'Approvals'),
    address(`v1/${token}`),
  ]) {
    await send('PUT', path, {});
    await request(path);
    await request(path.replace('/api/', '/api/v1/'));
  }
  const made = await send('POST', `${server.url}/api/approvals/${ID}/links`, { by: 'ada' });
  const url = String(made.body.data.url);
  await request(url);
  isAway = true;
  await submit('decision=approve');
  expect(log.length).toBeGreaterThan(10);
  const [payload = '', signature = ''] = url.slice(url.lastIndexOf('/') + 1).split('.');
  for (const secret of [...token.split('.'), payload, signature]) expect(log.join('')).not.toContain(secret);
  expect(log.join('')).toContain(`"path":"${LINK_PATH}/:token"`);
});

test('a link has the address that was asked, or the public one, and ends with the approval at the latest', async () => {
  const path = `/api/approvals/${ID}/links`;
  const own = await send('POST', server.url + path, { by: 'ada' });
  expect([own.status, own.body.data.expiresAt]).toEqual([201, QUESTION.deadline]);
  expect(own.body.data.url).toMatch(new RegExp(`^${server.url}${LINK_PATH}/`));
  const long = await send('POST', server.url + path, { expiresInMs: 1_000 });
  expect(Date.parse(long.body.data.expiresAt) - Date.now()).toBeLessThanOrEqual(1_000);
  const open2 = await open('https://holdfast.example/base/');
  const { body } = await send('POST', open2.url + path, {});
  await open2.close(0);
  expect(body.data.url).toMatch(
    new RegExp(`^https://holdfast\\.example/base${LINK_PATH}/[\\w-]+\\.[\\w-]+$`),
  );
});

test.each<[object, string]>([
  [{ expiresInMs: 999 }, 'expiresInMs'],
  [{ by: ' ' }, 'by'],
  [{ by: 'x'.repeat(201) }, 'by'],
  [{ for: 'ada' }, 'for'],
])('%j makes no link', async (body, field) => {
  const answer = await send('POST', `${server.url}/api/approvals/${ID}/links`, body);
  expect([answer.status, answer.body.details.field]).toEqual([400, field]);
});

test.each([
  ['approved', 409],
  ['expired', 410],
])('an approval that is %s has no more links', async (status, code) => {
  memo = { question: QUESTION, outcome: { status } };
  const answer = await send('POST', `${server.url}/api/approvals/${ID}/links`, {});
  expect([answer.status, answer.body.details]).toMatchObject([code, { status }]);
});

test('the longest name fits into a link', async () => {
  const by = '\u{1F600}'.repeat(100);
  const { body } = await send('POST', `${server.url}/api/approvals/${ID}/links`, { by });
  const { status, text } = await request(String(body.data.url));
  expect([status, text.includes(`<b>${by}</b>`)]).toEqual([200, true]);
});
