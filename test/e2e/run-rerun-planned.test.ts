import { approvalsIn } from '../support/approvals';
import type { Answer } from '../support/http';
import { callsTools, refusesKey, says } from '../support/model-server';
import {
  calculates,
  fetches,
  type OwnModelService,
  outcomesIn,
  startModelService,
} from '../support/model-service';
import type { AcceptedRun } from '../support/stop-runs';
import { sendJson, startStubPeer, type StubPeer } from '../support/stub-peer';
import { waitFor } from '../support/wait';

/** Longer than what stays in a history. */
const LONG = 'x'.repeat(5_000);

let service: OwnModelService;
let peer: StubPeer;
beforeAll(async () => {
  [service, peer] = await Promise.all([
    startModelService({
      PLANNER_MAX_REPLANS: '1',
      PAYLOAD_THRESHOLD_BYTES: '1024',
      EGRESS_ALLOW_PRIVATE: 'true',
    }),
    startStubPeer(({ path }, response) =>
      sendJson(response, path.endsWith('/gone') ? 404 : 200, { path, about: LONG }),
    ),
  ]);
});
beforeEach(() => service.hosted.reset());
afterAll(async () => {
  await peer.close();
  await service.stop();
});

const asked = () => service.hosted.requests;
const called = (prefix: string): string[] =>
  peer.requests.map(({ path }) => path).filter((path) => path.startsWith(prefix));
const get = (path: string) => fetches(peer.url + path, { expect: 200 });
function work(endpoint: '/api/tools/mcp' | '/api/workflow/execute', options: object = {}): Promise<Answer> {
  const allow = { hosts: [new URL(peer.url).host] };
  return service.post(endpoint, { query: 'reach the goal', options: { allow, ...options } });
}
function pathOf({ headers }: Answer, end = ''): string {
  const workflowId = encodeURIComponent(headers.get('x-workflow-id') ?? '');
  return `/api/runs/${headers.get('x-trace-id')}${end}?workflowId=${workflowId}`;
}
const rerun = (first: Answer, body: object): Promise<Answer> => service.post(pathOf(first, '/rerun'), body);
async function recordOf(run: Answer, end = '') {
  const { status, body, text } = await service.get(pathOf(run, end));
  if (status !== 200) throw new Error(`${status} ${text}`);
  return body.data;
}
/** The record of a rerun once it has ended. */
async function endOf(answer: Answer) {
  if (answer.status !== 202) throw new Error(`${answer.status} ${answer.text}`);
  const { reused } = answer.body.data as AcceptedRun & { readonly reused: string[] };
  return { ...(await recordOf(answer, '/wait')), reused };
}

test('the plans and calls before a step are taken from the first run, and the model reads what it read there', async () => {
  service.hosted.script(
    callsTools([get('/plan/1')]),
    callsTools([get('/plan/2'), calculates('add', 2, 3), get('/plan/gone'), get('/plan/skipped')]),
    callsTools([get('/plan/5')]),
    says('Reached.'),
  );
  const budget = { maxModelCalls: 4, maxToolCalls: 5 };
  const first = await work('/api/workflow/execute', { budget });
  expect([first.status, asked().length]).toEqual([200, 4]);
  const [, , third] = asked().map(({ body }) => body.messages);
  const made = called('/plan/');
  expect(made).toEqual(['/plan/1', '/plan/2', '/plan/gone', '/plan/5']);

  // The sixth call is the first of the third plan, which the model makes again.
  service.hosted.reset();
  service.hosted.script(
    callsTools([get('/plan/other')]),
    callsTools([calculates('add', 1, 1)]),
    callsTools([calculates('add', 3, 1)]),
    says('Otherwise.'),
  );
  const again = await rerun(first, { fromStep: '6' });
  const { status, reused, result } = await endOf(again);
  expect([status, reused]).toEqual(['completed', ['1', '2', '3', '4']]);
  expect(asked()[0]?.body.messages).toEqual(third);
  expect(called('/plan/')).toEqual([...made, '/plan/other']);
  expect(result).toMatchObject({
    success: true,
    answer: 'Otherwise.',
    executionOrder: ['api_call', 'api_call', 'calculator', 'api_call', 'calculator', 'calculator'],
    errors: [{ stepNumber: 4, toolName: 'api_call' }],
    iterations: 5,
    // What the first run used is not counted again.
    usage: { modelCalls: 4, toolCalls: 3 },
  });
  expect(result.allResults.api_call.data.about).toBe(LONG);

  // A rerun can be run again too: the third call is within its second plan, whose other calls are made as they were chosen.
  service.hosted.reset();
  service.hosted.script(says('That is all.'));
  const given = await rerun(again, { fromStep: '3', overrides: { 1: { result: 'something else' } } });
  expect(await endOf(given)).toMatchObject({
    status: 'failed',
    reused: ['2'],
    error: { details: { stepNumber: 4 } },
  });
  const [read] = asked();
  expect(outcomesIn(read)).toEqual([
    '"something else"',
    expect.stringContaining(LONG),
    '5',
    expect.stringContaining('404'),
    expect.stringContaining('Not run'),
  ]);
  expect(called('/plan/')).toEqual([...made, '/plan/other', '/plan/gone']);
  expect((await recordOf(given, '/steps/3')).input).toEqual({ operation: 'add', a: 2, b: 3 });

  const refused = async (body: object) => {
    const answer = await rerun(first, body);
    return [answer.status, answer.body.details?.field, answer.body.details?.message];
  };
  expect(await refused({ fromStep: '7' })).toEqual([400, 'fromStep', expect.stringContaining('no step "7"')]);
  expect(await refused({ fromStep: '5' })).toEqual([
    400,
    'fromStep',
    expect.stringContaining('did not make'),
  ]);
  for (const [body, field] of [
    [{ fromStep: '3', overrides: { 3: { result: 1 } } }, 'overrides.3'],
    [{ overrides: { 1: { result: 1 } } }, 'overrides.1'],
    [{ fromStep: '6', overrides: { 5: { result: 1 } } }, 'overrides.5'],
    [{ fromStep: '3', overrides: { 1: { config: { args: {} } } } }, 'overrides.1.config'],
    [{ fromStep: '3', inputs: { query: 'x' } }, 'inputs.query'],
  ] as const)
    expect((await refused(body)).slice(0, 2)).toEqual([400, field]);
});

test('a run whose model failed is run again from the plan that it could not make', async () => {
  service.hosted.script(callsTools([get('/failed/1')]), refusesKey());
  const first = await work('/api/tools/mcp');
  expect(first.status).toBe(503);
  const [, second] = asked().map(({ body }) => body.messages);
  service.hosted.reset();
  service.hosted.script(says('Reached.'));
  const again = await endOf(await rerun(first, { fromStep: 'plan-2' }));
  expect([again.reused, again.result.answer, called('/failed/')]).toEqual([['1'], 'Reached.', ['/failed/1']]);
  expect(asked().map(({ body }) => body.messages)).toEqual([second]);
});

test('a run that ended at a failed call is run again after it, with a result that the caller gives', async () => {
  service.hosted.script(
    callsTools([get('/ended/early/gone')]),
    callsTools([get('/ended/2'), get('/ended/gone'), get('/ended/4')]),
  );
  const first = await work('/api/tools/mcp');
  // It failed once more than the planner may plan around, so no plan followed.
  expect([first.status, first.body.details.stepNumber, asked().length]).toEqual([500, 3, 2]);
  const made = called('/ended/');
  expect(made).toEqual(['/ended/early/gone', '/ended/2', '/ended/gone']);

  const refused = await rerun(first, { fromStep: '4' });
  expect([refused.status, refused.body.details]).toMatchObject([400, { field: 'fromStep' }]);

  service.hosted.reset();
  service.hosted.script(says('Reached.'));
  const overrides = { 3: { result: 'found elsewhere' } };
  const within = await endOf(await rerun(first, { fromStep: '4', overrides }));
  expect([within.status, within.reused, within.result.answer]).toEqual(['completed', ['1', '2'], 'Reached.']);
  expect(called('/ended/')).toEqual([...made, '/ended/4']);
  expect(outcomesIn(asked()[0])).toEqual([
    expect.stringContaining('404'),
    expect.stringContaining('/ended/2'),
    '"found elsewhere"',
    expect.stringContaining('/ended/4'),
  ]);

  // The plan that would have come next is asked for with the failure, which the model has not read yet.
  service.hosted.reset();
  service.hosted.script(callsTools([get('/ended/other')]), says('Otherwise.'));
  const next = await endOf(await rerun(first, { fromStep: 'plan-3' }));
  expect([next.status, next.reused]).toEqual(['completed', ['1', '2', '3']]);
  expect(outcomesIn(asked()[0]).slice(2)).toEqual([
    expect.stringContaining('404'),
    expect.stringContaining('Not run'),
  ]);
  expect(called('/ended/')).toEqual([...made, '/ended/4', '/ended/other']);
});

test('a run whose budget ended within a plan is run again from the call that it could not make', async () => {
  service.hosted.script(callsTools([get('/budget/1'), get('/budget/2'), get('/budget/3')]));
  const first = await work('/api/workflow/execute', { budget: { maxToolCalls: 1, onExceeded: 'fail' } });
  expect([first.body.code, called('/budget/')]).toEqual(['BUDGET_EXHAUSTED', ['/budget/1']]);

  const overrides = { 2: { result: 'given' } };
  // The calls of the first run are not counted again.
  const last = await rerun(first, { fromStep: '3', overrides });
  service.hosted.reset();
  service.hosted.script(says('Reached.'));
  expect(await endOf(last)).toMatchObject({ status: 'completed', reused: ['1'] });
  expect(outcomesIn(asked()[0])[1]).toBe('"given"');
  expect(called('/budget/')).toEqual(['/budget/1', '/budget/3']);

  const again = await endOf(await rerun(first, { fromStep: '2' }));
  expect([again.status, again.reused, again.error.code]).toEqual(['failed', ['1'], 'BUDGET_EXHAUSTED']);
  expect(called('/budget/')).toEqual(['/budget/1', '/budget/3', '/budget/2']);
});

test('arguments that a tool refused are refused in the same words', async () => {
  const refusing = fetches(`${peer.url}/refused`, { method: 'POST', paginate: { next: 'link', items: '$' } });
  service.hosted.script(callsTools([get('/refused/1'), refusing]), says('I cannot.'));
  const first = await work('/api/tools/mcp');
  expect(first.status).toBe(500);
  const [, second] = asked().map(({ body }) => body.messages);
  expect(outcomesIn(asked()[1])[1]).toContain('args.paginate is for GET alone');

  service.hosted.reset();
  service.hosted.script(callsTools([calculates('add', 1, 1)]), says('Reached.'));
  const again = await endOf(await rerun(first, { fromStep: 'plan-2' }));
  expect([again.status, again.reused]).toEqual(['completed', ['1', '2']]);
  expect(asked()[0]?.body.messages).toEqual(second);
  expect(again.result.errors).toEqual([
    {
      stepNumber: 2,
      toolName: 'api_call',
      code: 'TOOL_EXECUTION_FAILED',
      error: 'args.paginate is for GET alone',
    },
  ]);
});

test('approvals of what is made again are asked again, and those before are not', async () => {
  const approval = { tools: ['api_call'] };
  service.hosted.script(callsTools([get('/asked/1')]), callsTools([get('/asked/2')]), says('Denied.'));
  const first = await work('/api/tools/mcp', { approval });
  expect(first.status).toBe(202);
  const answerNext = async (run: Answer, step: string, answer: object): Promise<void> => {
    const id = await waitFor(
      async () =>
        (await recordOf(run)).approvals?.find((one: { step: string }) => one.step === step)?.id as
          string | undefined,
      { what: `the call ${step} to ask` },
    );
    expect((await service.post(`/api/approvals/${id}`, answer)).status).toBe(200);
  };
  expect(approvalsIn(first)).toHaveLength(1);
  const args = { url: `${peer.url}/asked/changed`, expect: 200 };
  await answerNext(first, '1', { decision: 'approve', args });
  await answerNext(first, '2', { decision: 'deny', comment: 'not now' });
  expect((await recordOf(first, '/wait')).status).toBe('failed');
  expect(asked()).toHaveLength(3);
  const [, , third] = asked().map(({ body }) => body.messages);

  // The denied call is taken with its denial, and the model reads of the changed arguments.
  service.hosted.reset();
  service.hosted.script(callsTools([get('/asked/3')]), says('Reached.'));
  const again = await rerun(first, { fromStep: 'plan-3' });
  await answerNext(again, '3', { decision: 'approve' });
  expect(await endOf(again)).toMatchObject({ status: 'completed', reused: ['1', '2'] });
  expect(asked()[0]?.body.messages).toEqual(third);
  expect(called('/asked/')).toEqual(['/asked/changed', '/asked/3']);
});
