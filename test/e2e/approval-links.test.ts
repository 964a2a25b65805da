import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { Approval } from '../../src/contracts/http/approvals';
import { approvalsIn } from '../support/approvals';
import { describeWithBrowser, openBrowser } from '../support/browser';
import { calculator } from '../support/calls';
import { historyTexts } from '../support/history-texts';
import { type Answer, request } from '../support/http';
import { type Api, openStage, type Stage } from '../support/stage';
import { endedRun, stopRun } from '../support/stop-runs';
import { waitFor } from '../support/wait';
import { customBody, toolStep } from '../support/workflow-steps';

let stage: Stage;
let api: Api;

beforeAll(async () => {
  stage = await openStage();
  [api] = await Promise.all([stage.api({ LOG_LEVEL: 'trace' }), stage.worker()]);
  await api.post('/api/tools/register', { name: 'echo', execute: '(args) => args' });
});
afterAll(() => stage.close());

const EVIL = `<script>alert("1")</script><b onclick='x'>`;

interface Waiting {
  readonly approval: Approval;
  readonly ids: { readonly traceId: string; readonly workflowId: string };
  /** Sends the request of the run again. */
  again(): Promise<Answer>;
}

async function waitingCall(body: object = calculator('add', 1, 2)): Promise<Waiting> {
  const key = randomUUID();
  const again = (): Promise<Answer> =>
    api.post(
      '/api/tools/execute',
      { ...body, options: { approval: { tools: 'all' } } },
      { 'idempotency-key': key },
    );
  const asked = await again();
  const [approval] = approvalsIn(asked);
  if (approval === undefined) throw new Error('the run waits for nothing');
  return { approval, ids: asked.body.data, again };
}

async function linkTo({ id }: Pick<Approval, 'id'>, body: object = {}): Promise<string> {
  const { status, body: envelope, text } = await api.post(`/api/approvals/${id}/links`, body);
  if (status !== 201) throw new Error(`status ${status}: ${text}`);
  return String(envelope.data.url);
}

const submit = (url: string, fields: Record<string, string>): Promise<Answer> =>
  request(url, { method: 'POST', body: new URLSearchParams(fields) });

const unescapeHtml = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** The text of the field of a page that has the arguments. */
function fieldIn(page: string): string {
  const [, text] = /<textarea id="args"[^>]*>(.*?)<\/textarea>/s.exec(page) ?? [];
  if (text === undefined) throw new Error(`no field in ${page}`);
  return unescapeHtml(text);
}

const typedArgs = async (url: string): Promise<string> => fieldIn((await request(url)).text);

const statusOf = async ({ id }: Approval): Promise<string> =>
  (await api.get(`/api/approvals/${id}`)).body.data.status as string;

test('a link that was opened changes nothing, and its form approves once, under its name', async () => {
  const { approval, ids, again } = await waitingCall();
  const made = await api.post(`/api/approvals/${approval.id}/links`, { by: 'ada' });
  expect([made.status, made.body.message, made.body.data]).toEqual([
    201,
    'Link created successfully',
    { url: expect.stringMatching(`^${api.url}/api/approvals/links/`), expiresAt: approval.deadline },
  ]);
  const { url } = made.body.data as { url: string };
  const opened = await request(url);
  expect([opened.status, opened.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  for (const part of ['calculator', approval.runId, 'Approve', 'Deny', '<b>ada</b>'])
    expect(opened.text).toContain(part);
  const head = await request(url, { method: 'HEAD' });
  expect([head.status, head.text]).toEqual([200, '']);
  expect(await statusOf(approval)).toBe('pending');

  const answered = await submit(url, { decision: 'approve', comment: 'go on' });
  expect([answered.status, answered.text]).toEqual([
    200,
    expect.stringContaining('Your answer was accepted'),
  ]);
  const result = await again();
  expect([result.status, result.body.data.result]).toEqual([200, 3]);
  const { body } = await api.get(`/api/approvals/${approval.id}`);
  expect(body.data).toMatchObject({ status: 'approved', by: 'ada', comment: 'go on' });

  const second = await submit(url, { decision: 'approve', comment: 'go on' });
  expect([second.status, second.text]).toEqual([
    410,
    expect.stringContaining('<b>approved</b> by <b>ada</b>'),
  ]);
  const reopened = await request(url);
  expect([reopened.status, reopened.text.includes('<form')]).toEqual([200, false]);
  const late = await api.post(`/api/approvals/${approval.id}/links`, {});
  expect([late.status, late.body.message]).toEqual([409, 'Approval already answered']);

  // The link is a secret, so neither the log nor the engine has it.
  const approvalRun = Buffer.from(approval.id, 'base64url').toString();
  const histories = [ids.workflowId, approvalRun].map((id) => historyTexts(stage.client, id));
  const texts = [JSON.stringify(api.process.lines), api.process.output(), ...(await Promise.all(histories))];
  expect(texts[0]).toContain('/api/approvals/links/:token');
  for (const secret of new URL(url).pathname.split('/').pop()?.split('.') ?? [])
    expect(texts.filter((text) => text.includes(secret))).toEqual([]);
});

test('a link denies, and the caller has the comment', async () => {
  const { approval, again } = await waitingCall();
  const url = await linkTo(approval);
  expect((await submit(url, { decision: 'deny', comment: 'too expensive' })).status).toBe(200);
  const { status, body } = await again();
  expect([status, body.message, body.error]).toEqual([
    403,
    'Approval denied',
    expect.stringMatching(/denied: too expensive/),
  ]);
  const denied = await api.get(`/api/approvals/${approval.id}`);
  expect(denied.body.data.by).toBeUndefined();
});

test('what is asked is shown as text', async () => {
  const args = { url: `${stage.peer.url}/pay`, method: 'POST', body: { note: EVIL } };
  const step = toolStep('pay', 'api_call', args, { approval: { message: EVIL } });
  const asked = await api.post('/api/workflow/execute-custom', customBody([step]));
  const [approval] = approvalsIn(asked);
  const { text } = await request(await linkTo(approval!, { by: EVIL }));
  expect(text).not.toMatch(/<script|<b onclick/);
  const escaped = '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&lt;b onclick=&#39;x&#39;&gt;';
  for (const part of [
    `<dd>${escaped}</dd>`,
    `<b>${escaped}</b>`,
    escaped.replaceAll('&quot;', String.raw`\&quot;`),
  ])
    expect(text).toContain(part);
  const ids = asked.body.data as Waiting['ids'];
  await stopRun(api, 'cancel', ids, { reason: 'seen' });
  await endedRun(api, ids);
});

/** Values that a page or a form could change without notice. */
const ODD = {
  small: 1e-7,
  large: 12345678901234567000,
  text: 'ü 😀 \r\n\t\u0000 \u2028 \u202e </textarea><b>&amp; "12345678901234567890"',
  ' a "name" ': [[], {}, null, -1.5, true],
};

test('arguments are shown, changed and run without any conversion', async () => {
  const call = { toolName: 'echo', args: { ...ODD, password: 'planted' } };
  const kept = await waitingCall(call);
  const keptUrl = await linkTo(kept.approval);
  const shown = await typedArgs(keptUrl);
  expect(JSON.parse(shown)).toEqual({ ...ODD, password: '[hidden]' });
  expect((await submit(keptUrl, { decision: 'approve', args: shown })).status).toBe(200);
  expect((await kept.again()).body.data.result).toEqual(call.args);
  expect((await api.get(`/api/approvals/${kept.approval.id}`)).body.data).toMatchObject({
    args: { ...ODD, password: '[hidden]' },
  });

  const { approval, again } = await waitingCall(call);
  const url = await linkTo(approval, { by: 'ada' });
  const wrong: [string, string][] = [
    [shown.replace('"small"', 'small'), 'args: cannot be read'],
    [shown.replace('12345678901234567000', '12345678901234567890'), 'cannot be kept with all its digits'],
    [shown.replace('-1.5', '1e400'), 'cannot be kept with all its digits'],
    [shown.replace('"large"', '"small"'), 'stands twice'],
    [shown.replace('"large"', '"__proto__"'), 'is not accepted'],
    [shown.replace('"large"', '"new_password": "[hidden]", "large"'), 'stands for no hidden value here'],
  ];
  for (const [typed, problem] of wrong) {
    const refused = await submit(url, { decision: 'approve', comment: 'why', args: typed });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(problem)]);
    expect(fieldIn(refused.text)).toBe(typed);
    expect(refused.text).toContain('why</textarea>');
  }
  expect(await statusOf(approval)).toBe('pending');
  const typed = shown.replace('-1.5', '-2.50').replace('ü', 'é');
  const answered = await submit(url, { decision: 'approve', args: typed.replaceAll('\n', '\r\n') });
  const changed = { ...ODD, text: ODD.text.replace('ü', 'é'), ' a "name" ': [[], {}, null, -2.5, true] };
  const sections = answered.text.split('<h2>').slice(1);
  expect(sections.map((one) => one.slice(0, one.indexOf('</h2>')))).toEqual([
    'Arguments',
    'Proposed arguments',
  ]);
  expect(JSON.parse(unescapeHtml(/<pre>(.*)<\/pre>/s.exec(sections[0] ?? '')?.[1] ?? ''))).toEqual({
    ...changed,
    password: '[hidden]',
  });
  expect((await again()).body.data.result).toEqual({ ...changed, password: 'planted' });
  const { body } = await api.get(`/api/approvals/${approval.id}`);
  expect(body.data).toMatchObject({
    by: 'ada',
    args: { ...changed, password: '[hidden]' },
    proposedArgs: { ...ODD, password: '[hidden]' },
  });
  expect((await request(url)).text).toContain('<h2>Proposed arguments</h2>');
});

test('wrong types show the page again, and long arguments are neither shown nor sent', async () => {
  const { approval, again } = await waitingCall();
  const url = await linkTo(approval);
  const refused = await submit(url, { decision: 'approve', args: '{"operation":"add","a":"<x>","b":2}' });
  expect([refused.status, refused.text]).toEqual([
    400,
    expect.stringContaining('args.a: must be a finite number'),
  ]);
  expect(fieldIn(refused.text)).toBe('{"operation":"add","a":"<x>","b":2}');
  await submit(url, { decision: 'deny', args: 'nonsense' });
  expect((await again()).status).toBe(403);

  const long = { text: 'x'.repeat(20_000) };
  const whole = await waitingCall({ toolName: 'echo', args: long });
  const page = await request(await linkTo(whole.approval));
  expect(page.text).toContain('left out: 20011 characters of JSON');
  expect(page.text).not.toContain('name="args"');
  expect((await submit(await linkTo(whole.approval), { decision: 'approve' })).status).toBe(200);
  expect((await whole.again()).body.data.result).toEqual(long);
});

test('an altered, expired or malformed request answers nothing, and after the end of the run none does', async () => {
  const { approval, ids } = await waitingCall();
  const [url, brief] = [await linkTo(approval), await linkTo(approval, { expiresInMs: 1_000 })];
  const altered = url.slice(0, -1) + (url.endsWith('A') ? 'B' : 'A');
  const forged = await submit(altered, { decision: 'approve' });
  expect([forged.status, forged.text]).toEqual([404, expect.stringContaining('This link is not valid')]);
  expect((await request(altered)).status).toBe(404);
  await waitFor(async () => (await request(brief)).status === 410, { what: 'the link to expire' });
  const expired = await submit(brief, { decision: 'approve' });
  expect([expired.status, expired.text]).toEqual([410, expect.stringContaining('This link has expired')]);
  expect((await submit(url, { decision: 'perhaps' })).status).toBe(400);
  expect(await statusOf(approval)).toBe('pending');

  await stopRun(api, 'cancel', ids, { reason: 'no longer needed' });
  await endedRun(api, ids);
  const late = await submit(url, { decision: 'approve' });
  expect([late.status, late.text]).toEqual([410, expect.stringContaining('expired without an answer')]);
  expect((await api.post(`/api/approvals/${approval.id}/links`, {})).status).toBe(410);
  expect((await api.post('/api/approvals/unknown/links', {})).status).toBe(404);
});

test('all APIs of one folder take a link, and with a secret of its own none of the others', async () => {
  const [second, third] = await Promise.all([
    stage.api({ PUBLIC_URL: 'https://holdfast.example/' }),
    stage.api({ APPROVAL_LINK_SECRET: 'a secret of at least 32 characters' }),
  ]);
  const { approval } = await waitingCall();
  const { body } = await second.post(`/api/approvals/${approval.id}/links`, {});
  const { origin, pathname } = new URL(String(body.data.url));
  expect(origin).toBe('https://holdfast.example');
  expect((await third.get(pathname)).status).toBe(404);
  expect((await submit(api.url + pathname, { decision: 'deny' })).status).toBe(200);
  expect(existsSync(join(stage.dataDir, 'secrets.key'))).toBe(true);
});

describeWithBrowser('in a browser', () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await openBrowser();
    page = await browser.newPage();
  });
  afterAll(() => browser.close());

  test('the page has its style, and its buttons answer', async () => {
    const problems: string[] = [];
    page.on('console', (message) => problems.push(message.text()));
    const { approval, again } = await waitingCall();
    await page.goto(await linkTo(approval, { by: 'ada' }));
    // The hash of the style in the policy is right.
    const weight = await page.evaluate("getComputedStyle(document.querySelector('dt')).fontWeight");
    expect(weight).toBe('600');
    await page.getByRole('textbox', { name: 'Comment' }).fill('two\nlines');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('heading', { name: 'Your answer was accepted' }).waitFor();
    expect((await again()).body.data.result).toBe(3);
    const { body } = await api.get(`/api/approvals/${approval.id}`);
    expect(body.data).toMatchObject({ status: 'approved', by: 'ada', comment: 'two\nlines' });
    expect(problems.filter((text) => !text.includes('favicon'))).toEqual([]);
  });
  test('its field changes the arguments, and has again what cannot be used', async () => {
    const call = { toolName: 'echo', args: { ...ODD, amount: 49.9, password: 'planted' } };
    const { approval, again } = await waitingCall(call);
    await page.goto(await linkTo(approval, { by: 'ada' }));
    const field = page.getByRole('textbox', { name: 'Arguments' });
    const shown = await field.inputValue();
    await field.fill(shown.replace('49.9', '20,0'));
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('alert').filter({ hasText: 'cannot be read' }).waitFor();
    expect(await field.inputValue()).toBe(shown.replace('49.9', '20,0'));
    await field.fill(shown.replace('49.9', '20'));
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('heading', { name: 'Your answer was accepted' }).waitFor();
    expect(JSON.parse(await page.locator('pre').first().innerText())).toEqual({
      ...ODD,
      amount: 20,
      password: '[hidden]',
    });
    expect((await again()).body.data.result).toEqual({ ...call.args, amount: 20 });

    const kept = await waitingCall(call);
    await page.goto(await linkTo(kept.approval));
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('heading', { name: 'Your answer was accepted' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Proposed' }).count()).toBe(0);
    expect((await kept.again()).body.data.result).toEqual(call.args);
  });
  test('a run that has reached a limit goes on with the limit of the form, which it cannot do without', async () => {
    const asked = await api.post('/api/tools/mcp', {
      query: 'add 1 and 2',
      options: { model: 'builtin', budget: { maxToolCalls: 0, onExceeded: 'pause' } },
    });
    const [approval] = approvalsIn(asked);
    const url = await linkTo(approval!);
    expect((await submit(url, { decision: 'approve' })).status).toBe(400);
    await page.goto(url);
    await page.getByRole('button', { name: 'Approve' }).click();
    expect(await statusOf(approval!)).toBe('pending');
    await page.getByRole('textbox', { name: 'New maxToolCalls' }).fill('5');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('heading', { name: 'Your answer was accepted' }).waitFor();
    const { body } = await endedRun(api, asked.body.data as Waiting['ids']);
    expect([body.data.status, body.data.result.finalResult]).toEqual(['completed', 3]);
  });
});
