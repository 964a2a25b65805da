import { randomUUID } from 'node:crypto';
import type { Approval } from '../../src/contracts/http/approvals';
import { answerApproval, approvalsIn, untilEnded, untilListed } from '../support/approvals';
import { collectEvents, openEvents } from '../support/event-stream';
import { type Answer, request } from '../support/http';
import { says } from '../support/model-server';
import { type ModelService } from '../support/model-service';
import { endedRun, stopRun } from '../support/stop-runs';
import { useModelService } from '../support/use-service';
import { waitFor } from '../support/wait';
import { askStep, customBody, sumStep, toolStep } from '../support/workflow-steps';

let service: ModelService;

beforeAll(async () => {
  service = await useModelService();
  const echo = { execute: '(args) => args', requiresApproval: true };
  await service.post('/api/tools/register', { name: 'echo', ...echo });
  await service.post('/api/tools/register', { name: 'guarded', parameters: { text: 'string' }, ...echo });
});
beforeEach(() => service.hosted.reset());
afterAll(() => service.stop());

/** Starts a workflow under a key of its own, as often as it is called. */
function workflowOf(...steps: readonly unknown[]): () => Promise<Answer> {
  const key = randomUUID();
  const body = customBody(steps);
  return () => service.post('/api/workflow/execute-custom', body, { 'idempotency-key': key });
}

async function answer(approval: Approval | undefined, body: object): Promise<void> {
  const { status, text } = await answerApproval(service, approval!, body);
  if (status !== 200) throw new Error(text);
}

/** Repeats a request until its run waits for the approval of a step. */
function untilApproval(start: () => Promise<Answer>, name: string): Promise<Approval> {
  const find = async (): Promise<Approval | undefined> =>
    approvalsIn(await start()).find(({ step }) => step === name);
  return waitFor(find, { what: `${name} to wait` });
}

test('a step that asks a model waits, and asks what the person wrote instead', async () => {
  service.hosted.script(says('A poem.'));
  const start = workflowOf(
    askStep('write', 'Write about the sea.', { system: 'Rhyme.', model: 'hosted' }, { approval: true }),
  );
  const [approval] = approvalsIn(await start());
  expect(approval).toMatchObject({
    kind: 'step',
    step: 'write',
    args: { prompt: 'Write about the sea.', system: 'Rhyme.' },
  });
  expect(approval).not.toHaveProperty('toolName');
  expect(service.hosted.requests).toHaveLength(0);
  const refused = await answerApproval(service, approval!, { decision: 'approve', args: { prompt: 5 } });
  expect([refused.status, refused.body.details.field]).toEqual([400, 'args.prompt']);
  await answer(approval, { decision: 'approve', args: { prompt: 'Write about hills.' } });
  const { status, body } = await untilEnded(start);
  expect([status, body.data.results.write.result]).toEqual([200, 'A poem.']);
  expect(service.hosted.requests.map(({ body: { messages } }) => messages)).toEqual([
    [{ role: 'user', content: 'Write about hills.' }],
  ]);
});

test('a person is asked with the values of the run, in the approval, on the page and in the record', async () => {
  await service.post('/api/tools/register', { name: 'order', execute: '(args) => args' });
  const order = {
    amount: 49.9,
    customer: 'Ada <ada@example.com>',
    token: 'a-planted-token',
    note: 'planted',
  };
  const refund = toolStep(
    'refund',
    'order',
    { to: '{{order.result.customer}}', password: '{{order.result.note}}' },
    {
      approval: {
        message:
          'Refund {{order.result.amount}} EUR to {{ order.result.customer }} ({{by}}, {{previous_result.token}}, ' +
          '{{order.result.note}}, {{order.result.none.at}})?',
      },
    },
  );
  const key = randomUUID();
  const body = customBody([toolStep('order', 'order', order), refund], { by: 'Bob' });
  const start = (): Promise<Answer> =>
    service.post('/api/workflow/execute-custom', body, { 'idempotency-key': key });
  const [approval] = approvalsIn(await start());
  const message =
    'Refund 49.9 EUR to Ada <ada@example.com> (Bob, [hidden], [hidden], (not available: order.result.none.at))?';
  expect(approval?.message).toBe(message);
  const made = await service.post(`/api/approvals/${approval!.id}/links`, {});
  const page = await request(String(made.body.data.url));
  expect(page.text).toContain(`<dd>${message.replace('<', '&lt;').replace('>', '&gt;')}</dd>`);
  await answer(approval, { decision: 'approve' });
  expect((await untilEnded(start)).status).toBe(200);
  const record = await service.get(`/api/runs/${approval!.runId}`);
  expect(record.body.data.approvals).toMatchObject([{ status: 'approved', message }]);
});

test('each item of a step is asked about by itself', async () => {
  const forEach = { items: ['a', 'b'], concurrency: 1 };
  const approval = { message: 'Item {{index}} of {{input.list}}: {{item}}?' };
  const key = randomUUID();
  const body = customBody([sumStep('each', '{{index}}', 1, { forEach, approval })], { list: [1, 2] });
  const start = (): Promise<Answer> =>
    service.post('/api/workflow/execute-custom', body, { 'idempotency-key': key });
  for (const [index, item] of forEach.items.entries()) {
    const asked = await untilApproval(start, `each[${index}]`);
    expect(asked.message).toBe(`Item ${index} of [1,2]: ${item}?`);
    await answer(asked, { decision: 'approve' });
  }
  expect((await untilEnded(start)).status).toBe(200);
});

test.each([
  ['an unknown step', 'Refund {{oder.result}}?', 'no step or input "oder"'],
  ['a later step', 'Refund {{last.result}}?', 'does not come earlier'],
  ['an item without forEach', 'Refund {{item}}?', 'is defined only in'],
  ['an unknown part of an input', 'Refund {{input.user.age}}?', 'no "age"'],
  ['no reference', 'Refund {{ 1 + 1 }}?', 'not a valid reference'],
])('a question that names %s starts no run', async (_, message, problem) => {
  const steps = [sumStep('asked', 1, 2, { approval: { message } }), sumStep('last', 3, 4)];
  const refused = await service.post('/api/workflow/execute-custom', customBody(steps, { user: {} }));
  expect([refused.status, refused.body.details]).toEqual([
    400,
    { step: 'asked', field: 'approval.message', message: expect.stringContaining(problem) },
  ]);
});

test('a prompt that was denied is not sent, and fails its workflow', async () => {
  const start = workflowOf(askStep('write', 'Write.', { model: 'hosted' }, { approval: true }));
  const [approval] = approvalsIn(await start());
  await answer(approval, { decision: 'deny', comment: 'too costly' });
  const { status, text } = await untilEnded(start);
  expect([status, text]).toEqual([expect.any(Number), expect.stringMatching(/denied: too costly/)]);
  expect(service.hosted.requests).toHaveLength(0);
});

test('a workflow goes on without a denied step where its author says so', async () => {
  const start = workflowOf(
    sumStep('asked', 1, 2, { approval: { onDenied: 'continue' } }),
    sumStep('last', 3, 4),
  );
  const [approval] = approvalsIn(await start());
  await answer(approval, { decision: 'deny' });
  const { status, body } = await untilEnded(start);
  expect([status, body.data.results]).toMatchObject([
    200,
    {
      asked: { status: 'skipped', result: null, error: { code: 'APPROVAL_DENIED' } },
      last: { status: 'completed', result: 7 },
    },
  ]);
});

test('only the denied items of a step are left out', async () => {
  const forEach = { items: [1, 2], concurrency: 2 };
  const start = workflowOf(sumStep('each', '{{item}}', 10, { forEach, approval: { onDenied: 'continue' } }));
  const first = await untilApproval(start, 'each[0]');
  await answer(first, { decision: 'deny' });
  const second = await untilApproval(start, 'each[1]');
  await answer(second, { decision: 'approve' });
  const { body } = await untilEnded(start);
  expect(body.data.results.each).toMatchObject({
    status: 'completed',
    result: [null, 12],
    errors: [{ index: 0, code: 'APPROVAL_DENIED' }],
  });
});

test('a step that waits for a person keeps no other step from beginning, however much it sends', async () => {
  await service.post('/api/tools/register', {
    name: 'write',
    parameters: { length: 'number' },
    execute: '({ length }) => "x".repeat(length)',
  });
  await service.post('/api/tools/register', {
    name: 'measure',
    parameters: { text: 'string' },
    execute: '({ text }) => text.length',
  });
  const measure = (id: string, more: object = {}): unknown =>
    toolStep(id, 'measure', { text: '{{text.result}}' }, { dependsOn: ['text'], ...more });
  const start = workflowOf(
    toolStep('text', 'write', { length: 7_000_000 }),
    measure('one', { approval: true }),
    measure('two', { approval: true }),
    measure('free'),
  );
  const one = await untilApproval(start, 'one');
  const two = await untilApproval(start, 'two');
  await waitFor(
    async () => {
      const { body } = await service.get(`/api/runs/${one.runId}`);
      const steps = body.data.steps as { id: string; status: string }[];
      return steps.some(({ id, status }) => id === 'free' && status === 'completed');
    },
    { what: 'the step that needs no approval to end' },
  );
  await answer(one, { decision: 'approve' });
  await answer(two, { decision: 'approve', args: { text: 'short' } });
  const { body } = await untilEnded(start);
  expect(body.data.results).toMatchObject({ one: { result: 7_000_000 }, two: { result: 5 } });
});

test.each([
  ['is denied to continue', { approval: { onDenied: 'continue' } }],
  ['continues after failures', { continueOnError: true }],
  ['continues after failures of its items', { continueOnError: true, forEach: { items: [1, 2] } }],
])('a step without an answer by the deadline fails where it has to, also where it %s', async (_, more) => {
  const approval = { ...('approval' in more ? more.approval : {}), deadlineMs: 1_000, onDeadline: 'fail' };
  const start = workflowOf(sumStep('asked', 1, 2, { ...more, approval }), sumStep('last', 3, 4));
  approvalsIn(await start());
  const { status, body } = await untilEnded(start);
  expect([status, body.details.code]).toEqual([500, 'APPROVAL_EXPIRED']);
});

test.each([
  ['a tool', '/api/tools/execute', { toolName: 'calculator', args: { operation: 'add', a: 1, b: 2 } }],
  ['a sentence', '/api/tools/execute-with-llm', { toolName: 'calculator', query: 'add 1 and 2' }],
])('%s whose denial has nothing to go on with refuses onDenied', async (_, path, body) => {
  const options = { approval: { tools: 'all', onDenied: 'continue' } };
  const { status } = await service.post(path, { ...body, options });
  expect(status).toBe(400);
});

const GUARDED = { toolName: 'guarded', args: { text: 'hello' } };
const execute = (body: object, key: string = randomUUID()): Promise<Answer> =>
  service.post('/api/tools/execute', body, { 'idempotency-key': key });
const idsOf = ({ body }: Answer) => body.data as { traceId: string; workflowId: string };

test('a patch changes some arguments, and everything that is read has what was proposed beside what ran', async () => {
  const proposed = { url: 'https://shop/refund', body: { amount: 49.9, note: 'late' }, list: [1, 2] };
  const key = randomUUID();
  const start = (): Promise<Answer> => execute({ toolName: 'echo', args: proposed }, key);
  const asked = await start();
  const [approval] = approvalsIn(asked);
  const { traceId } = idsOf(asked);
  expect((await service.get(`/api/runs/${traceId}`)).body.data.approvals).toEqual([approval]);

  const said = { decision: 'approve', by: 'ada', comment: 'half of it' };
  const patch = { body: { amount: 20, note: null }, list: [3], more: { text: 'ü 😀', none: null } };
  const answered = await answerApproval(service, approval!, { ...said, patch });
  const args = { url: proposed.url, body: { amount: 20 }, list: [3], more: { text: 'ü 😀' } };
  const record = {
    ...approval,
    ...said,
    args,
    proposedArgs: proposed,
    status: 'approved',
    answeredAt: expect.any(String),
  };
  expect([answered.status, answered.body.data]).toEqual([200, record]);
  for (const same of [{ patch }, { args }]) {
    const again = await answerApproval(service, approval!, { ...said, ...same });
    expect([again.status, again.body.data]).toEqual([200, answered.body.data]);
  }
  const other = await answerApproval(service, approval!, { ...said, patch: { ...patch, list: [] } });
  expect([other.status, other.body.message]).toEqual([409, 'Approval already answered']);

  const ended = await untilEnded(start);
  expect([ended.status, ended.body.data.result]).toEqual([200, args]);
  const events = await collectEvents(await openEvents(`${service.url}/api/runs/${traceId}/events`));
  expect(events.find(({ event }) => event === 'approval.answered')?.data.approval).toEqual(record);
  expect((await service.get(`/api/runs/${traceId}`)).body.data.approvals).toEqual([record]);
  expect((await service.get(`/api/approvals/${approval!.id}`)).body.data).toEqual(record);
  expect(await untilListed(service, `status=approved&runId=${traceId}`, 1)).toEqual([record]);
});

test('a patch that cannot be merged answers nothing, and says why', async () => {
  const asked = await execute({ ...GUARDED });
  const [approval] = approvalsIn(asked);
  const refused: [object, string][] = [
    [{ patch: { text: 'a' }, args: { text: 'a' } }, 'patch'],
    [{ patch: { text: 5 } }, 'patch.text'],
    [{ patch: { text: null } }, 'patch.text'],
    [{ patch: { txt: 'a' } }, 'patch.txt'],
    [{ patch: { text: '[hidden]' } }, 'patch.text'],
    [{ patch: [] }, 'patch'],
    [{ patch: null }, 'patch'],
    [{ patch: {}, decision: 'deny' }, 'patch'],
  ];
  for (const [body, field] of refused) {
    const answer = await answerApproval(service, approval!, { decision: 'approve', ...body });
    expect([body, answer.status, answer.body.details?.field]).toEqual([body, 400, field]);
  }
  for (const args of [
    '{"text":1e400}',
    '{"__proto__":{"text":"a"}}',
    `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`,
  ]) {
    for (const name of ['args', 'patch']) {
      const { status } = await request(`${service.url}/api/approvals/${approval!.id}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: `{"decision":"approve","${name}":${args}}`,
      });
      expect([name, args.slice(0, 30), status]).toEqual([name, args.slice(0, 30), 400]);
    }
  }
  expect((await service.get(`/api/approvals/${approval!.id}`)).body.data.status).toBe('pending');
  await stopRun(service, 'terminate', idsOf(asked), { reason: 'seen' });
  const ended = await endedRun(service, idsOf(asked));
  expect(ended.body.data.approvals).toMatchObject([{ status: 'expired', proposedArgs: GUARDED.args }]);
});

test('a number that JSON cannot express is refused at any depth, and -0 is the same answer twice', async () => {
  const key = randomUUID();
  const start = (): Promise<Answer> => execute({ toolName: 'echo', args: { deep: { n: 1 } } }, key);
  const [approval] = approvalsIn(await start());
  const answer = (n: string): Promise<Answer> =>
    request(`${service.url}/api/approvals/${approval!.id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"decision":"approve","patch":{"deep":{"n":${n}}}}`,
    });
  const refused = await answer('1e400');
  expect([refused.status, refused.body.details.field]).toEqual([400, 'body']);
  expect([(await answer('-0')).status, (await answer('-0')).status]).toEqual([200, 200]);
  expect((await untilEnded(start)).body.data.result).toEqual({ deep: { n: 0 } });
});

test('arguments that are too long to be shown take no patch, and all of them take their place', async () => {
  const key = randomUUID();
  const args = { text: 'x'.repeat(20_000), n: 1 };
  const start = (): Promise<Answer> => execute({ toolName: 'echo', args }, key);
  const [approval] = approvalsIn(await start());
  const refused = await answerApproval(service, approval!, { decision: 'approve', patch: { n: 2 } });
  expect([refused.status, refused.body.details.field]).toEqual([400, 'patch']);
  expect((await answerApproval(service, approval!, { decision: 'approve', args: { n: 2 } })).status).toBe(
    200,
  );
  expect((await untilEnded(start)).body.data.result).toEqual({ n: 2 });
  expect((await service.get(`/api/approvals/${approval!.id}`)).body.data).toMatchObject({
    args: { n: 2 },
    proposedArgs: 'left out: 20017 characters of JSON',
  });
});

test('arguments that a built-in tool parses are checked as those of a request', async () => {
  const read = toolStep('read', 'json_reader', { jsonString: '{"a":1}', path: '$.a' }, { approval: true });
  const start = workflowOf({ ...read, continueOnError: true }, sumStep('after', 1, 1));
  const approval = await untilApproval(start, 'read');
  const refused = await answerApproval(service, approval, { decision: 'approve', patch: { path: '$[' } });
  expect([refused.status, refused.body.details.field]).toEqual([400, 'patch.path']);
  // What only the call itself finds is a failure of the call, and no mistake of the definition.
  await answer(approval, { decision: 'approve', patch: { jsonString: '{' } });
  const { status, body } = await untilEnded(start);
  expect([status, body.data.results.read.status, body.data.results.after.result]).toEqual([200, 'failed', 2]);
});
