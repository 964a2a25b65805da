import { answerApproval, untilListed } from '../support/approvals';
import { calculator } from '../support/calls';
import type { Answer } from '../support/http';
import { LEXICAL } from '../support/memories';
import { type Service, startService } from '../support/service';
import { summariesOfSteps } from '../support/step-summaries';
import { sendJson, startStubPeer, type StubPeer } from '../support/stub-peer';
import { connectTemporal, type TestClient } from '../support/temporal-client';
import { askStep, customBody, fetchStep, sumStep, toolStep } from '../support/workflow-steps';

/** Longer than what a record shows, and than what is read into memory as a whole. */
const ROWS = Array.from({ length: 40_000 }, (_, row) => ({ row, about: `this is the row ${row} of a list` }));

let service: Service;
let peer: StubPeer;
let temporal: TestClient;

beforeAll(async () => {
  [service, peer, temporal] = await Promise.all([
    // Long inputs and results are stored outside of the history.
    startService({ ...LEXICAL, PAYLOAD_THRESHOLD_BYTES: '1024', EGRESS_ALLOW_PRIVATE: 'true' }),
    startStubPeer(({ path, body }, response) =>
      sendJson(response, 200, path.startsWith('/rows') ? { rows: ROWS, secret: 'hide-me' } : { path, body }),
    ),
    connectTemporal(),
  ]);
});
afterAll(async () => {
  await Promise.all([peer.close(), temporal.close()]);
  await service.stop();
});

function pathOf({ headers }: Answer, end = ''): string {
  const workflowId = encodeURIComponent(headers.get('x-workflow-id') ?? '');
  return `/api/runs/${headers.get('x-trace-id')}${end}?workflowId=${workflowId}`;
}
const read = (answer: Answer, end: string): Promise<Answer> => service.get(pathOf(answer, end));
async function stepOf(answer: Answer, id: string) {
  const { status, body, text } = await read(answer, `/steps/${encodeURIComponent(id)}`);
  if (status !== 200) throw new Error(`${status} ${text}`);
  return body.data;
}
async function recordOf(answer: Answer) {
  return (await read(answer, '')).body.data;
}

const sequence = (...tools: object[]): Promise<Answer> =>
  service.post('/api/tools/execute-sequential', { tools });

test('a light call of a sequence shows the arguments that it was made with', async () => {
  const answer = await sequence(
    calculator('add', 20, 1),
    calculator('multiply', '{{previous_result.result}}', 2),
    { toolName: 'api_call', args: { url: `${peer.url}/n/{{previous_result.result}}` } },
  );
  expect(answer.status).toBe(200);
  expect(await stepOf(answer, '2')).toMatchObject({
    id: '2',
    name: 'calculator',
    kind: 'tool',
    status: 'completed',
    input: { operation: 'multiply', a: 21, b: 2 },
    output: 42,
  });
  const called = await stepOf(answer, '3');
  expect(called).toMatchObject({ input: { url: `${peer.url}/n/42` }, output: { status: 200 } });
  expect(peer.count('/n/42')).toBe(1);
  expect((await recordOf(answer)).input).toEqual({
    tools: [
      calculator('add', 20, 1),
      calculator('multiply', '{{previous_result.result}}', 2),
      { toolName: 'api_call', args: { url: `${peer.url}/n/{{previous_result.result}}` } },
    ],
  });
});

test('steps of a workflow show what their templates became, items and prompts too', async () => {
  const steps = [
    sumStep('sum', '{{input.first}}', 2),
    toolStep(
      'each',
      'calculator',
      { operation: 'add', a: '{{item}}', b: '{{sum.result}}' },
      {
        forEach: { items: '{{input.list}}' },
      },
    ),
    fetchStep('sent', `${peer.url}/sent`, { method: 'post', body: { got: '{{each.result}}' } }),
    askStep(
      'ask',
      'Say {{sum.result}} and {{each.result[1]}}',
      { model: 'builtin' },
      { continueOnError: true },
    ),
    sumStep('last', '{{each.result[0]}}', '{{sum.result}}', { dependsOn: ['sent'] }),
  ];
  const inputs = { first: 5, list: [10, 20] };
  const answer = await service.post('/api/workflow/execute-custom', customBody(steps, inputs));
  expect([answer.status, answer.body.details]).toEqual([200, undefined]);
  expect((await stepOf(answer, 'sum')).input).toEqual({ operation: 'add', a: 5, b: 2 });
  expect(await stepOf(answer, 'each[1]')).toMatchObject({
    input: { operation: 'add', a: 20, b: 7 },
    output: 27,
  });
  const { input } = await stepOf(answer, 'sent');
  expect(input).toMatchObject({ url: `${peer.url}/sent`, method: 'POST', body: { got: [17, 27] } });
  expect(peer.requests.find(({ path }) => path === '/sent')?.body).toBe(JSON.stringify(input.body));
  expect((await stepOf(answer, 'last')).input).toEqual({ operation: 'add', a: 17, b: 7 });
  expect((await stepOf(answer, 'ask')).input).toEqual({
    messages: [{ role: 'user', content: 'Say 7 and 27' }],
  });
  const { input: asked } = await recordOf(answer);
  expect(asked).toMatchObject({ workflow: { name: 'Under test' }, inputs });
  expect(asked.workflow.steps.map(({ id }: { id: string }) => id)).toEqual(steps.map(({ id }) => id));
  expect(JSON.stringify(asked)).not.toContain('implementation');
});

test('values that are long are notes with a link to the whole, without credentials', async () => {
  const long = 'x'.repeat(20_000);
  const answer = await sequence(
    {
      toolName: 'api_call',
      args: { url: `${peer.url}/rows`, method: 'POST', body: { long, password: 'hide-me' } },
    },
    calculator('add', 1, '{{previous_result.data.rows[7].row}}'),
  );
  expect(answer.status).toBe(200);
  const step = await stepOf(answer, '1');
  expect([step.input, step.output]).toEqual([
    expect.stringMatching(/^left out: \d+ characters/),
    expect.stringMatching(/^left out: more than/),
  ]);
  const input = await service.get(step.links.input);
  expect(input.body.data.body).toEqual({ long, password: '[hidden]' });
  const output = await service.get(step.links.output);
  expect(output.body.data.data).toEqual({ rows: ROWS, secret: '[hidden]' });
  expect(output.headers.get('transfer-encoding')).toBe('chunked');
  const { input: asked, links } = await recordOf(answer);
  expect(asked).toMatch(/^left out/);
  const whole = await service.get(links.input);
  expect(whole.body.data.tools[0].args.body).toEqual({ long, password: '[hidden]' });
  for (const { text } of [input, output, whole]) expect(text).not.toContain('hide-me');
  // It takes a number out of the large output.
  expect((await stepOf(answer, '2')).input).toEqual({ operation: 'add', a: 1, b: 7 });
});

test('what a tool printed is shown beside its large output', async () => {
  const source = 'console.log("counting"); return Array.from({ length: 400_000 }, (_, at) => at)';
  await service.post('/api/tools/register', { name: 'counting', execute: source });
  const answer = await service.post('/api/tools/execute', { toolName: 'counting' });
  expect(answer.status).toBe(200);
  const step = await stepOf(answer, '1');
  expect(step).toMatchObject({ output: expect.stringMatching(/^left out: more than/), logs: ['counting'] });
  expect((await service.get(step.links.output)).body.data).toHaveLength(400_000);
});

test('a failed step has an input and no output, and an unknown one is a 404', async () => {
  const answer = await sequence(calculator('add', 1, 1), calculator('divide', 1, 0));
  expect(answer.status).not.toBe(200);
  const step = await stepOf(answer, '2');
  expect(step).toMatchObject({ status: 'failed', input: { operation: 'divide', a: 1, b: 0 } });
  expect(step).not.toHaveProperty('output');
  expect((await read(answer, '/steps/2/output')).status).toBe(404);
  const unknown = await read(answer, '/steps/3');
  expect([unknown.status, unknown.body.error]).toEqual([404, 'The run has no step "3"']);
});

test('a planned call shows its arguments, and a step of rules why it has no input', async () => {
  const answer = await service.post('/api/tools/mcp', {
    query: 'add 2 and 3',
    options: { model: 'builtin' },
  });
  expect(answer.status).toBe(200);
  expect(await stepOf(answer, '1')).toMatchObject({ input: { operation: 'add', a: 2, b: 3 }, output: 5 });
  expect(await stepOf(answer, 'plan-1')).toMatchObject({
    inputNote: expect.stringContaining('inside the workflow task'),
    output: { calls: [{ toolName: 'calculator', args: { operation: 'add', a: 2, b: 3 } }] },
  });
  expect((await read(answer, '/steps/plan-1/input')).status).toBe(404);
  expect((await recordOf(answer)).input).toMatchObject({ query: 'add 2 and 3' });
  const summaries = await summariesOfSteps(temporal.client, answer);
  const { steps } = await recordOf(answer);
  expect(summaries.map((summary) => summary.split(':')[0])).toEqual(
    steps.map(({ id }: { id: string }) => id),
  );
});

test('arguments that a person has changed are those of the step', async () => {
  const started = await service.post(
    '/api/tools/execute',
    { ...calculator('add', 1, 2), options: { approval: { tools: 'all' } } },
    { Prefer: 'respond-async' },
  );
  const [approval] = await untilListed(service, 'status=pending', 1);
  const decision = { decision: 'approve', args: { operation: 'add', a: 30, b: 2 } };
  expect((await answerApproval(service, approval!, decision)).status).toBe(200);
  expect((await read(started, '/wait')).body.data.status).toBe('completed');
  expect(await stepOf(started, '1')).toMatchObject({ input: decision.args, output: 32 });
});
