import { randomUUID } from 'node:crypto';
import type { Approval } from '../../src/contracts/http/approvals';
import { ask, classifiesAs, initializeAgent, plansInTurn, playsAgent } from '../support/agent';
import { answerApproval, approvalsIn, untilEnded, untilListed } from '../support/approvals';
import type { Answer } from '../support/http';
import { newUser } from '../support/memories';
import { chat, initializeMemoryChat } from '../support/memory-chat';
import { says } from '../support/model-server';
import { calculates, type ModelService, outcomesIn } from '../support/model-service';
import { endedRun } from '../support/stop-runs';
import { useModelService } from '../support/use-service';
import { waitFor } from '../support/wait';

let service: ModelService;

beforeAll(async () => {
  service = await useModelService();
  await initializeAgent(service);
  await initializeMemoryChat(service);
  await service.post('/api/tools/register', {
    name: 'guarded',
    parameters: { text: 'string' },
    execute: '(args) => args.text.toUpperCase()',
    requiresApproval: true,
  });
});
beforeEach(() => service.hosted.reset());
afterAll(() => service.stop());

const guarded = (text: string) => ({ name: 'guarded', args: { text } });
const needs = (tool: string) => classifiesAs('tool_execution', [tool]);

/** A model whose turns call the guarded tool, unless the query is "just talk". */
function plays(...calls: Parameters<typeof plansInTurn>[0]): void {
  const withTools = playsAgent({
    classify: needs('guarded'),
    plan: plansInTurn(calls, 'It is done.'),
    answer: says('It is done.'),
  });
  const talking = playsAgent({ answer: says('We just talk.') });
  service.hosted.otherwise((request, response) => {
    const last = request.body.messages.filter(({ role }) => role === 'user').at(-1)?.content;
    return (JSON.stringify(last).includes('just talk') ? talking : withTools)(request, response);
  });
}

/** Sends a turn under a key of its own, as often as it is called. */
function turnOf(userId: string, query: string, options: object = {}): () => Promise<Answer> {
  const key = randomUUID();
  return () => ask(service, query, { userId, ...options }, { 'idempotency-key': key });
}

const pendingIn = (answer: Answer): Approval => approvalsIn(answer)[0]!;

async function approve(approval: Approval): Promise<void> {
  const { status, text } = await answerApproval(service, approval, { decision: 'approve' });
  if (status !== 200) throw new Error(text);
}

test('a turn waits for its calls: one is denied, which the planner reads, and one is corrected', async () => {
  plays(guarded('no'), guarded('yes'));
  const start = turnOf(newUser(), 'shout loudly');
  const first = pendingIn(await start());
  expect(first).toMatchObject({ kind: 'tool', step: '1', toolName: 'guarded', args: { text: 'no' } });
  await answerApproval(service, first, { decision: 'deny', comment: 'be kinder' });
  const second = await waitFor(async () => approvalsIn(await start()).find(({ step }) => step === '2'), {
    what: 'the second call to wait',
  });
  const read = service.hosted.requests.map((request) => outcomesIn(request).join());
  expect(read.join()).toMatch(/denied: be kinder/);
  await answerApproval(service, second, { decision: 'approve', args: { text: 'maybe' } });
  const { status, body } = await untilEnded(start);
  expect([status, body.data.response]).toEqual([200, 'It is done.']);
  expect(body.data.toolResults).toMatchObject([
    { success: false, error: expect.stringMatching(/denied: be kinder/) },
    { success: true, result: 'MAYBE' },
  ]);
});

test('options.approval names tools that need none otherwise', async () => {
  service.hosted.otherwise(
    playsAgent({
      classify: needs('calculator'),
      plan: plansInTurn([calculates('add', 2, 3)], 'It is 5.'),
    }),
  );
  const start = turnOf(newUser(), 'add 2 and 3', { approval: { tools: ['calculator'], onDeadline: 'fail' } });
  const approval = pendingIn(await start());
  expect(approval).toMatchObject({ toolName: 'calculator', onDeadline: 'fail' });
  await approve(approval);
  expect((await untilEnded(start)).body.data.response).toBe('It is 5.');
  const misspelt = await ask(service, 'hello', { userId: newUser(), approval: { tool: 'all' } });
  expect(misspelt.status).toBe(400);
});

test('a turn without an answer by the deadline goes on without its call, or fails', async () => {
  plays(guarded('no'));
  const approval = { tools: 'all', deadlineMs: 1_000 };
  const patient = turnOf(newUser(), 'shout', { approval });
  const strict = turnOf(newUser(), 'shout', { approval: { ...approval, onDeadline: 'fail' } });
  for (const start of [patient, strict]) approvalsIn(await start());
  const { status, body } = await untilEnded(patient);
  expect([status, body.data.toolResults]).toMatchObject([
    200,
    [{ success: false, error: expect.stringContaining('denied: no answer came by the deadline') }],
  ]);
  const failed = await untilEnded(strict);
  expect([failed.status, failed.body.error]).toEqual([410, 'Approval expired']);
});

test('a denied call ends a turn that has to end', async () => {
  plays(guarded('no'));
  const start = turnOf(newUser(), 'shout', { approval: { tools: 'all', onDenied: 'fail' } });
  await answerApproval(service, pendingIn(await start()), { decision: 'deny', comment: 'not today' });
  const { status, body } = await untilEnded(start);
  expect([status, body.error, body.message]).toEqual([
    403,
    'Approval denied',
    expect.stringContaining('not today'),
  ]);
});

describe('while a turn waits, its session', () => {
  const TALK = 'just talk';
  let userId: string;
  let paused: () => Promise<Answer>;
  let approval: Approval;

  beforeEach(async () => {
    plays(guarded('hello'));
    userId = newUser();
    paused = turnOf(userId, 'shout hello');
    approval = pendingIn(await paused());
  });

  test('refuses other turns, which know the approval, and other sessions go on', async () => {
    const next = turnOf(userId, TALK);
    const refusals = [await next(), await chat(service, { userId, message: TALK })];
    for (const { status, body } of refusals) {
      expect([status, body.error]).toEqual([409, 'Session is waiting']);
      expect(body.details.approvals).toEqual([approval]);
    }
    expect((await ask(service, TALK, { userId, sessionId: 'another' })).status).toBe(200);

    // The turn itself is not refused, and a refused turn had no effect.
    expect(pendingIn(await paused())).toEqual(approval);
    await approve(approval);
    expect((await untilEnded(paused)).status).toBe(200);
    expect((await next()).body.data.response).toBe('We just talk.');
  });

  test('takes turns that wait behind it, in their order', async () => {
    const queue = { userId, onWaiting: 'queue' };
    const later = await ask(service, TALK, queue, { prefer: 'respond-async' });
    expect(later.status).toBe(202);
    const last = chat(service, { userId, message: TALK, options: { onWaiting: 'queue' } });
    await waitFor(
      async () =>
        (await service.get('/api/runs?status=waiting&type=memoryChatTurn')).body.data.runs.length === 1,
      { what: 'the last turn to wait' },
    );
    // A turn that may not wait is refused even if others wait.
    expect((await ask(service, TALK, { userId })).status).toBe(409);
    await approve(approval);
    expect((await last).status).toBe(200);
    const ends = [await paused(), await endedRun(service, later.body.data)];
    expect(ends.map(({ status }) => status)).toEqual([200, 200]);
    const closed = await service.get(`/api/runs/${later.body.data.traceId}`);
    const first = await service.get(`/api/runs/${approval.runId}`);
    expect(Date.parse(closed.body.data.closedAt)).toBeGreaterThan(Date.parse(first.body.data.closedAt));
  });

  test('repeats the answers of earlier turns', async () => {
    await approve(approval);
    await untilEnded(paused);
    const another = turnOf(userId, 'shout again');
    const waiting = pendingIn(await another());
    const repeat = await paused();
    expect([repeat.status, repeat.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    await approve(waiting);
    expect((await untilEnded(another)).status).toBe(200);
  });

  test('goes with the erasure of its user: the turn and its approvals', async () => {
    expect(await untilListed(service, `userId=${userId}`, 1)).toEqual([approval]);
    const { status } = await service.send('DELETE', `/api/memory/clear/${userId}`);
    expect([200, 202]).toContain(status);
    await waitFor(async () => (await service.get(`/api/approvals/${approval.id}`)).status === 404, {
      what: 'the approval to be gone',
    });
    // The server deletes a run from its index after the run itself.
    await untilListed(service, `userId=${userId}`, 0);
  });
});

test('a turn whose approval names no tool is refused, and takes no place in its session', async () => {
  const session = { userId: newUser(), sessionId: 's' };
  service.hosted.otherwise(playsAgent({ answer: says('We just talk.') }));
  const refused = await ask(service, 'hello', { ...session, approval: { tools: ['guardd'] } });
  expect([refused.status, refused.body.details]).toEqual([
    400,
    {
      field: 'options.approval.tools[0]',
      message: 'there is no tool named "guardd"; the nearest is guarded',
    },
  ]);
  expect((await ask(service, 'hello', session)).status).toBe(200);
});
