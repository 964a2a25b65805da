import { randomUUID } from 'node:crypto';
import { answerApproval, approvalsIn, untilEnded, untilListed } from '../support/approvals';
import { apiCall, apiPost, calculator } from '../support/calls';
import { collectEvents, openEvents } from '../support/event-stream';
import type { Answer } from '../support/http';
import { type Api, openStage, type Stage } from '../support/stage';
import { endedRun, stopRun } from '../support/stop-runs';
import { waitFor } from '../support/wait';
import { customBody, fetchStep, sumStep, toolStep } from '../support/workflow-steps';

let stage: Stage;
let api: Api;

beforeAll(async () => {
  stage = await openStage();
  [api] = await Promise.all([stage.api(), stage.worker()]);
  await api.post('/api/tools/register', {
    name: 'guarded',
    parameters: { text: 'string' },
    execute: '(args) => args.text.toUpperCase()',
    requiresApproval: true,
  });
});
afterAll(() => stage.close());

const GUARDED = { toolName: 'guarded', args: { text: 'hello' } };
const ADD = calculator('add', 1, 2);
const run = (path: string, body: object, key: string = randomUUID()): Promise<Answer> =>
  api.post(path, body, { 'idempotency-key': key });
const execute = (body: object, key: string = randomUUID()): Promise<Answer> =>
  run('/api/tools/execute', body, key);
const allOf = (approval: object = { tools: 'all' }) => ({ options: { approval } });
const idsOf = ({ body }: Answer) => body.data as { traceId: string; workflowId: string };

test('a call waits until it is approved, and is made with the arguments of the answer', async () => {
  const key = randomUUID();
  const asked = await execute({ ...ADD, ...allOf() }, key);
  const [approval] = approvalsIn(asked);
  const { traceId } = idsOf(asked);
  expect(approval).toEqual({
    id: expect.any(String),
    kind: 'tool',
    status: 'pending',
    runId: traceId,
    step: '1',
    toolName: 'calculator',
    args: ADD.args,
    requestedAt: expect.any(String),
    deadline: expect.any(String),
    onDeadline: 'deny',
  });
  expect(Date.parse(approval!.deadline) - Date.parse(approval!.requestedAt)).toBe(86_400_000);
  const repeat = await execute({ ...ADD, ...allOf() }, key);
  expect(approvalsIn(repeat)).toEqual([approval]);
  expect(repeat.headers.get('idempotent-replayed')).toBe('true');
  expect(await untilListed(api, `status=pending&runId=${traceId}`, 1)).toEqual([approval]);
  await waitFor(
    async () => {
      const { body } = await api.get(`/api/runs?status=waiting&type=executeTool`);
      return body.data.runs.some(({ runId }: { runId: string }) => runId === traceId);
    },
    { what: 'the run to be listed as waiting' },
  );

  const refused = await answerApproval(api, approval!, {
    decision: 'approve',
    args: { operation: 'add', a: 1 },
  });
  expect([refused.status, refused.body.details.field]).toEqual([400, 'args.b']);
  const answer = {
    decision: 'approve',
    args: { operation: 'add', a: 20, b: 22 },
    by: 'ada',
    comment: 'twice',
  };
  const answered = await answerApproval(api, approval!, answer);
  expect([answered.status, answered.body.data]).toEqual([
    200,
    {
      ...approval,
      ...answer,
      proposedArgs: ADD.args,
      status: 'approved',
      answeredAt: expect.any(String),
    },
  ]);
  const again = await answerApproval(api, approval!, answer);
  expect([again.status, again.body.data]).toEqual([200, answered.body.data]);
  const asAsked = { decision: 'approve', by: 'ada', comment: 'twice' };
  for (const another of [{ decision: 'deny' }, asAsked]) {
    const other = await answerApproval(api, approval!, another);
    expect([other.status, other.body.message]).toEqual([409, 'Approval already answered']);
  }

  const result = await execute({ ...ADD, ...allOf() }, key);
  expect([result.status, result.body.data.result]).toEqual([200, 42]);
  expect((await api.get(`/api/approvals/${approval!.id}`)).body.data).toEqual(answered.body.data);
  expect(await untilListed(api, `status=approved&runId=${traceId}&toolName=calculator`, 1)).toEqual([
    answered.body.data,
  ]);
  expect(await untilListed(api, `status=denied&runId=${traceId}`, 0)).toEqual([]);
  const events = await collectEvents(await openEvents(`${api.url}/api/runs/${traceId}/events`));
  expect(events.map(({ event }) => event)).toEqual([
    'run.started',
    'approval.requested',
    'approval.answered',
    'step.scheduled',
    'step.completed',
    'run.completed',
  ]);
  expect(events.map(({ data }) => data.approval).slice(1, 3)).toEqual([approval, answered.body.data]);
  const record = await api.get(`/api/runs/${traceId}`);
  expect(record.body.data).toMatchObject({ status: 'completed', steps: [{ id: '1', status: 'completed' }] });
  expect(record.body.data.approvals).toEqual([answered.body.data]);
});

test('a call that is denied is not made, and its run fails and says so', async () => {
  const key = randomUUID();
  const call = { ...apiPost(`${stage.peer.url}/denied`), ...allOf({ tools: 'changing' }) };
  const [approval] = approvalsIn(await execute(call, key));
  const answered = await answerApproval(api, approval!, { decision: 'deny', comment: 'too expensive' });
  expect([answered.status, answered.body.data.status]).toEqual([200, 'denied']);
  const { status, body } = await execute(call, key);
  expect([status, body.message]).toEqual([403, 'Approval denied']);
  expect(body.error).toMatch(/denied: too expensive/);
  expect(stage.peer.count('/denied')).toBe(0);
});

test('a comment that is half a surrogate pair is refused, and the approval waits for another answer', async () => {
  await api.post('/api/tools/register', { name: 'short', parameters: {}, execute: '() => 1' });
  const key = randomUUID();
  const call = { toolName: 'short', args: {}, ...allOf() };
  const [approval] = approvalsIn(await execute(call, key));
  const refused = await answerApproval(api, approval!, { decision: 'deny', comment: '\ud800' });
  expect([refused.status, refused.body.details.field]).toEqual([400, 'comment']);
  await answerApproval(api, approval!, { decision: 'deny', comment: '😀' });
  const { status, body } = await execute(call, key);
  expect([status, body.error]).toEqual([403, 'The call was denied: 😀 (short {})']);
});

test('the approvals of a run are listed without those of a run whose key differs in case', async () => {
  const key = randomUUID();
  const call = { ...ADD, ...allOf({ tools: 'all', deadlineMs: 1_000 }) };
  const [asked, other] = [await execute(call, `${key}-a`), await execute(call, `${key}-A`)];
  for (const run of [asked, other]) await endedRun(api, idsOf(run));
  const { body } = await api.get(`/api/approvals?runId=${idsOf(asked).traceId}`);
  const [approval] = approvalsIn(asked);
  expect(body.data.approvals).toEqual([
    { ...approval, proposedArgs: approval!.args, status: 'expired', decision: 'deny' },
  ]);
});

test('only calls that may change something wait where these are named', async () => {
  const reading = await execute({ ...apiCall(`${stage.peer.url}/read`), ...allOf({ tools: 'changing' }) });
  expect(reading.status).toBe(200);
  const other = await execute({ ...ADD, ...allOf({ tools: ['api_call'] }) });
  expect(other.status).toBe(200);
});

test.each([
  ['deny', 403, 'Approval denied'],
  ['fail', 410, 'Approval expired'],
  ['approve', 200, 'Tool executed successfully'],
])('without an answer by the deadline: %s', async (onDeadline, status, message) => {
  const key = randomUUID();
  const body = { ...ADD, ...allOf({ tools: ['calculator'], deadlineMs: 1_000, onDeadline }) };
  const asked = await execute(body, key);
  const [approval] = approvalsIn(asked);
  await endedRun(api, idsOf(asked));
  const ended = await execute(body, key);
  expect([ended.status, ended.body.message]).toEqual([status, message]);
  const late = await answerApproval(api, approval!, { decision: 'approve' });
  expect([late.status, late.body.message]).toEqual([410, 'Approval expired']);
  expect(await untilListed(api, `status=expired&runId=${approval!.runId}`, 1)).toMatchObject([
    { id: approval!.id, decision: onDeadline === 'approve' ? 'approve' : 'deny' },
  ]);
});

test('an approval ends with its run', async () => {
  const asked = await execute({ ...GUARDED });
  const [approval] = approvalsIn(asked);
  await stopRun(api, 'cancel', idsOf(asked), { reason: 'no longer needed' });
  expect((await endedRun(api, idsOf(asked))).body.data.status).toBe('cancelled');
  const late = await answerApproval(api, approval!, { decision: 'approve' });
  expect(late.status).toBe(410);
  expect((await api.get(`/api/approvals/${approval!.id}`)).body.data.status).toBe('expired');
});

test.each(['terminate', 'cancel'] as const)(
  'an operator who %ss an approval denies its call',
  async (stop) => {
    const key = randomUUID();
    const [approval] = approvalsIn(await execute(GUARDED, key));
    await stage.client.workflow.getHandle(Buffer.from(approval!.id, 'base64url').toString())[stop]();
    const denied = await untilEnded(() => execute(GUARDED, key));
    expect([denied.status, denied.body.error]).toEqual([
      403,
      expect.stringMatching(/its approval was stopped/),
    ]);
  },
);

test('in a sequence the calls after it wait too, and in parallel the others do not', async () => {
  const calls = [ADD, GUARDED, calculator('add', 2, 2)];
  const key = randomUUID();
  const sequence = (): Promise<Answer> => run('/api/tools/execute-sequential', { tools: calls }, key);
  const [second] = approvalsIn(await sequence());
  expect(second).toMatchObject({ step: '2', toolName: 'guarded' });
  await answerApproval(api, second!, { decision: 'approve', args: { text: 'bye' } });
  const done = await waitFor(async () => ((await sequence()).status === 200 ? sequence() : undefined), {
    what: 'the sequence to end',
  });
  expect(done.body.data.results.map(({ data }: { data: { result: unknown } }) => data.result)).toEqual([
    3,
    'BYE',
    4,
  ]);

  const other = randomUUID();
  const parallel = (): Promise<Answer> =>
    run('/api/tools/execute-multiple', { tools: [...calls, GUARDED] }, other);
  const asked = await parallel();
  const { traceId } = idsOf(asked);
  const pending = await untilListed(api, `status=pending&runId=${traceId}`, 2);
  const steps = async (): Promise<string[]> =>
    (await api.get(`/api/runs/${traceId}`)).body.data.steps.map(({ id }: { id: string }) => id);
  expect((await steps()).sort()).toEqual(['1', '3']);
  await answerApproval(api, pending[0]!, { decision: 'approve' });
  expect(approvalsIn(await parallel())).toHaveLength(1);
  await answerApproval(api, pending[1]!, { decision: 'deny', comment: 'one is enough' });
  await endedRun(api, idsOf(asked));
  const { body } = await parallel();
  expect(body.data.results.filter(({ success }: { success: boolean }) => success)).toHaveLength(3);
  expect(body.data.errors).toEqual([
    expect.objectContaining({ toolName: 'guarded', code: 'APPROVAL_DENIED' }),
  ]);
});

test('a call in parallel without an answer by the deadline ends the run where it has to', async () => {
  const key = randomUUID();
  const approval = { tools: ['guarded'], deadlineMs: 1_000, onDeadline: 'fail' };
  const parallel = (): Promise<Answer> =>
    run('/api/tools/execute-multiple', { tools: [ADD, GUARDED], ...allOf(approval) }, key);
  approvalsIn(await parallel());
  const { status, body } = await untilEnded(parallel);
  expect([status, body.message]).toEqual([410, 'Approval expired']);
});

test('a step of a workflow waits with the words of its author, and so does a tool that was registered so', async () => {
  const { peer } = stage;
  const steps = [
    sumStep('sum', 20, 22),
    fetchStep(
      'pay',
      `${peer.url}/pay`,
      { method: 'POST', body: { amount: '{{sum.result}}' } },
      { approval: { message: 'Pay the invoice?', deadlineMs: 60_000 } },
    ),
    toolStep('shout', 'guarded', { text: 'paid' }),
    sumStep('last', '{{sum.result}}', 1),
  ];
  const key = randomUUID();
  const start = (): Promise<Answer> => run('/api/workflow/execute-custom', customBody(steps), key);
  const [pay] = approvalsIn(await start());
  expect(pay).toMatchObject({
    kind: 'step',
    step: 'pay',
    toolName: 'api_call',
    message: 'Pay the invoice?',
    args: { method: 'POST', body: { amount: 42 } },
  });
  expect(peer.count('/pay')).toBe(0);
  await answerApproval(api, pay!, { decision: 'approve' });
  const shout = await waitFor(async () => approvalsIn(await start()).find(({ step }) => step === 'shout'), {
    what: 'the second step to wait',
  });
  expect(shout).toMatchObject({ kind: 'tool', toolName: 'guarded', args: { text: 'paid' } });
  expect(peer.count('/pay')).toBe(1);
  await answerApproval(api, shout, { decision: 'approve' });
  await endedRun(api, { traceId: pay!.runId, workflowId: `custom-workflow/key-${key}` });
  const { status, body } = await start();
  expect([status, body.data.results.shout.result, body.data.results.last.result]).toEqual([200, 'PAID', 43]);
});

test.each<[string, string, object, string]>([
  ['/api/tools/execute', 'no tools', { ...ADD, options: { approval: {} } }, 'options.approval.tools'],
  [
    '/api/tools/execute',
    'a misspelt field',
    { ...ADD, ...allOf({ tools: 'all', deadline: 5 }) },
    'options.approval.deadline',
  ],
  [
    '/api/tools/execute',
    'a short deadline',
    { ...ADD, ...allOf({ tools: 'all', deadlineMs: 999 }) },
    'options.approval.deadlineMs',
  ],
  [
    '/api/tools/mcp',
    'an unknown end',
    { query: 'add 1 and 2', ...allOf({ tools: 'all', onDeadline: 'ask' }) },
    'options.approval.onDeadline',
  ],
])('%s refuses %s', async (path, _, body, field) => {
  const answer = await api.post(path, body);
  expect([answer.status, answer.body.details.field]).toEqual([400, field]);
});

test.each<[string, object]>([
  ['/api/tools/execute', ADD],
  ['/api/tools/execute-multiple', { tools: [ADD] }],
  ['/api/tools/execute-sequential', { tools: [ADD] }],
  ['/api/tools/execute-with-llm', { query: 'add 1 and 2', toolName: 'calculator' }],
  ['/api/tools/mcp', { query: 'add 1 and 2' }],
  ['/api/workflow/execute', { query: 'add 1 and 2' }],
])('%s refuses an approval of calls of a tool that is none', async (path, body) => {
  const { status, body: envelope } = await run(path, {
    ...body,
    ...allOf({ tools: ['guarded', 'calculater'] }),
  });
  expect([status, envelope.details]).toEqual([
    400,
    {
      field: 'options.approval.tools[1]',
      message: 'there is no tool named "calculater"; the nearest is calculator',
    },
  ]);
});

test.each<[string, object, string]>([
  ['no decision', {}, 'decision'],
  ['an unknown field', { decision: 'approve', why: 'x' }, 'why'],
  ['arguments of a denial', { decision: 'deny', args: {} }, 'args'],
])('an answer with %s is refused', async (_, body, field) => {
  const { status, body: envelope } = await answerApproval(api, { id: 'any' }, body);
  expect([status, envelope.details.field]).toEqual([400, field]);
});

test('what is no approval is not found, and no list has an unknown filter', async () => {
  const { headers } = await execute(ADD);
  const noApproval = Buffer.from(headers.get('x-workflow-id') ?? '').toString('base64url');
  for (const id of ['unknown', noApproval]) {
    expect((await api.get(`/api/approvals/${id}`)).status).toBe(404);
    expect((await answerApproval(api, { id }, { decision: 'deny' })).status).toBe(404);
  }
  for (const query of ['status=open', 'state=pending', 'limit=0', 'runId=x', 'cursor=!', 'cursor=abcd']) {
    expect([query, (await api.get(`/api/approvals?${query}`)).status]).toEqual([query, 400]);
  }
});

test('an answer with long arguments, which are stored apart, is listed with them', async () => {
  const key = randomUUID();
  const asked = await execute(GUARDED, key);
  const [approval] = approvalsIn(asked);
  const args = { text: 'x'.repeat(60_000) };
  expect((await answerApproval(api, approval!, { decision: 'approve', args })).status).toBe(200);
  expect((await untilEnded(() => execute(GUARDED, key))).body.data.result).toHaveLength(60_000);
  const [listed] = await untilListed(api, `status=approved&runId=${idsOf(asked).traceId}`, 1);
  expect(listed).toMatchObject({ id: approval!.id, status: 'approved' });
});

test('a list is read in pages', async () => {
  const asked = await run('/api/tools/execute-multiple', { tools: [GUARDED, GUARDED, GUARDED] });
  const { traceId } = idsOf(asked);
  await untilListed(api, `runId=${traceId}`, 3);
  const ids = new Set<string>();
  let next = '';
  for (let page = 0; page < 4 && (page === 0 || next !== ''); page += 1) {
    const { body } = await api.get(
      `/api/approvals?runId=${traceId}&limit=1${next === '' ? '' : `&cursor=${next}`}`,
    );
    for (const { id } of body.data.approvals) ids.add(id);
    next = body.data.next ?? '';
  }
  expect(ids.size).toBe(3);
  for (const id of ids) await answerApproval(api, { id }, { decision: 'deny' });
  await endedRun(api, idsOf(asked));
});

test('a page that is read in several parts has all approvals', async () => {
  const tools = Array.from({ length: 30 }, () => GUARDED);
  const runs = await Promise.all([1, 2].map(() => run('/api/tools/execute-multiple', { tools })));
  await Promise.all(runs.map((asked) => untilListed(api, `runId=${idsOf(asked).traceId}&limit=500`, 30)));
  const pending = await waitFor(
    async () => {
      const { body } = await api.get('/api/approvals?status=pending&limit=500');
      return body.data.approvals.length >= 60 ? body.data : undefined;
    },
    { what: '60 approvals on one page' },
  );
  const ids = new Set(pending.approvals.map(({ id }: { id: string }) => id));
  expect([ids.size, pending.next]).toEqual([pending.approvals.length, undefined]);
  for (const asked of runs) await stopRun(api, 'cancel', idsOf(asked));
  await Promise.all(runs.map((asked) => endedRun(api, idsOf(asked))));
});
