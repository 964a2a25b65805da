import type OpenAI from 'openai';
import type { Response } from 'openai/resources/responses/responses';
import { asked, classifiesAs, plansInTurn, playsAgent } from '../support/agent';
import { answerApproval, approvalsIn, cancelWaiting, untilListed } from '../support/approvals';
import { LEXICAL, newUser } from '../support/memories';
import { type ModelServer, says, startModelServer } from '../support/model-server';
import { hostedBy, outcomesIn } from '../support/model-service';
import { collectResponse, errorOf, openAiClient } from '../support/openai';
import { type Api, openStage, type Stage } from '../support/stage';
import { answered, waitFor } from '../support/wait';
import { sumStep } from '../support/workflow-steps';

type ApprovalRequest = OpenAI.Responses.ResponseOutputItem.McpApprovalRequest;
type Params = Partial<OpenAI.Responses.ResponseCreateParamsNonStreaming>;

const GUARDED = { name: 'openai_guarded', args: { text: 'hi' } };

let stage: Stage;
let model: ModelServer;
let settings: Record<string, string>;
let api: Api;
let client: OpenAI;

beforeAll(async () => {
  stage = await openStage();
  model = await startModelServer();
  settings = { ...LEXICAL, ...hostedBy(model) };
  await start();
  await api.post('/api/tools/register', {
    name: GUARDED.name,
    parameters: { text: 'string' },
    execute: '(args) => args.text.toUpperCase()',
    requiresApproval: true,
  });
});
beforeEach(() => {
  model.reset();
  plays(GUARDED);
});
/** Answers what no test has answered. */
afterEach(() => cancelWaiting(api));
afterAll(async () => {
  await stage.close();
  await model.close();
});

async function start(): Promise<void> {
  api = await stage.allInOne(settings);
  client = openAiClient(api.url);
}

/** The model plans these calls one after another, and then says that it is done. */
function plays(...calls: Parameters<typeof plansInTurn>[0][number][]): void {
  const [classify, plan] = [
    classifiesAs('tool_execution', [GUARDED.name]),
    plansInTurn(calls, 'It is done.'),
  ];
  model.otherwise(playsAgent({ classify, plan, answer: says('It failed.') }));
}

const respond = (input: OpenAI.Responses.ResponseInput | string, params: Params = {}): Promise<Response> =>
  client.responses.create({ model: 'holdfast', input, ...params });

/** What the model read of its calls. */
const outcomesRead = (): string => outcomesIn(asked(model.requests, 'plan').at(-1)).join();

/** The one item of a response, which has to be the request of an approval. */
function requestIn({ status, output }: Response): ApprovalRequest {
  expect([status, output.length]).toEqual(['completed', 1]);
  const [item] = output;
  if (item?.type !== 'mcp_approval_request') throw new Error('no approval is asked for');
  return item;
}

const answerTo = ({ id }: { readonly id: string }, approve: boolean, reason?: string) => [
  {
    type: 'mcp_approval_response' as const,
    approval_request_id: id,
    approve,
    ...(reason === undefined ? {} : { reason }),
  },
];

test('a call is approved in the next request, also if the service was killed and started between', async () => {
  const first = await respond('Guard hi');
  const request = requestIn(first);
  expect(request).toEqual({
    type: 'mcp_approval_request',
    id: expect.stringMatching(/^mcpr_/),
    server_label: 'holdfast',
    name: GUARDED.name,
    arguments: '{"text":"hi"}',
  });
  await api.process.kill();
  await start();
  const answer = () => respond(answerTo(request, true, 'go on'), { previous_response_id: first.id });
  // The next worker takes the run over within seconds; until then the answer is a 503.
  const second = await answered(answer);
  expect(second).toMatchObject({ id: `${first.id}_2`, status: 'completed', output_text: 'It is done.' });
  expect(outcomesRead()).toContain('HI');
  expect(await answer()).toEqual(second);
  for (const each of [first, second]) expect(await client.responses.retrieve(each.id)).toEqual(each);
  const [known] = await untilListed(api, `status=approved&runId=${first.id.slice('resp_'.length)}`, 1);
  expect(known).toMatchObject({ status: 'approved', comment: 'go on', toolName: GUARDED.name });
  expect(await errorOf(respond(answerTo(request, false)))).toMatchObject({
    status: 409,
    code: 'APPROVAL_ANSWERED',
  });
});

test('a call that is denied is not made, and the model reads why', async () => {
  const request = requestIn(await respond('Guard hi'));
  const second = await respond(answerTo(request, false, 'hi is too short'));
  expect(second.output_text).toBe('It failed.');
  expect(outcomesRead()).toContain('hi is too short');
  expect(outcomesRead()).not.toContain('HI');
});

test('each approval ends a part, in streams too, which are the same again', async () => {
  plays(GUARDED, { ...GUARDED, args: { text: 'ho' } });
  const events = await collectResponse(
    await client.responses.create({ model: 'holdfast', input: 'Guard hi and ho', stream: true }),
  );
  expect(events.map(({ type }) => type)).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.output_item.done',
    'response.completed',
  ]);
  const last = events.at(-1);
  if (last?.type !== 'response.completed') throw new Error('it is not complete');
  const { id } = last.response;
  expect(await collectResponse(await client.responses.retrieve(id, { stream: true }))).toEqual(events);
  const input = answerTo(requestIn(last.response), true);
  const next = await collectResponse(
    await client.responses.create({ model: 'holdfast', input, stream: true }),
  );
  expect(next.at(-1)).toMatchObject({
    type: 'response.completed',
    response: { id: `${id}_2`, output: [{ name: GUARDED.name, arguments: '{"text":"ho"}' }] },
  });
  // A person answers the second one elsewhere.
  const [approval] = await untilListed(api, `status=pending&runId=${id.slice('resp_'.length)}`, 1);
  await answerApproval(api, approval!, { decision: 'approve' });
  const third = await collectResponse(await client.responses.retrieve(`${id}_3`, { stream: true }));
  expect(third.at(-1)).toMatchObject({
    type: 'response.completed',
    response: { output: [{ content: [{ text: 'It is done.' }] }] },
  });
  expect(await collectResponse(await client.responses.retrieve(`${id}_2`, { stream: true }))).toEqual(next);
});

test('a run in the background asks too, and a repeat of a request has the part that it had', async () => {
  const first = await respond('Guard hi', { background: true });
  expect(first.status).toBe('in_progress');
  const ended = await waitFor(
    async () => {
      const now = await client.responses.retrieve(first.id);
      return now.status === 'in_progress' ? undefined : now;
    },
    { what: 'the run to ask' },
  );
  await respond(answerTo(requestIn(ended), true));

  const key = { headers: { 'Idempotency-Key': newUser() } };
  const keyed = () => client.responses.create({ model: 'holdfast', input: 'Guard hi' }, key);
  const keptFirst = await keyed();
  await respond(answerTo(requestIn(keptFirst), true));
  expect(await keyed()).toEqual(keptFirst);
});

const isPending = async ({ id }: { readonly id: string }): Promise<boolean> =>
  (await api.get(`/api/approvals/${id.slice('mcpr_'.length)}`)).body.data.status === 'pending';

test('an answer before the last message is history', async () => {
  const request = requestIn(await respond('Guard hi'));
  const [answer] = answerTo(request, true);
  const second = await respond([answer!]);
  model.otherwise(playsAgent({ answer: says('It is new.') }));
  const history: OpenAI.Responses.ResponseInput = [
    { role: 'user', content: 'Guard hi' },
    request,
    answer!,
    { role: 'assistant', content: second.output_text },
    { role: 'user', content: 'And now?' },
  ];
  const { data, response } = await client.responses
    .create({ model: 'holdfast', input: history })
    .withResponse();
  expect(data).toMatchObject({ id: expect.not.stringMatching(/_2$/), output_text: 'It is new.' });
  expect(response.headers.get('x-holdfast-ignored')).toMatch(/input\[1\].*input\[2\]/);
  expect(JSON.stringify(asked(model.requests, 'answer').at(-1)?.body.messages)).toContain('It is done.');
});

describe('an answer is refused', () => {
  test('with all others of its request', async () => {
    const [request, other] = [requestIn(await respond('Guard hi')), requestIn(await respond('Guard hi'))];
    const refusedAnswers = [
      [answerTo(other, true), 'input[1].approval_request_id'],
      [answerTo({ id: 'mcpr_unknown' }, true), 'input[1].approval_request_id'],
      [answerTo(request, true, 'x'.repeat(1_001)), 'input[1].reason'],
    ] as const;
    for (const [answers, param] of refusedAnswers)
      expect(await errorOf(respond([...answerTo(request, true), ...answers]))).toMatchObject({
        status: 400,
        param,
      });
    expect(await isPending(request)).toBe(true);
  });

  test('that belongs to a run which is no response', async () => {
    const call = { toolName: GUARDED.name, args: GUARDED.args };
    const [approval] = approvalsIn(await api.post('/api/tools/execute', call));
    const request = { id: `mcpr_${approval!.id}` };
    expect(await errorOf(respond(answerTo(request, true)))).toMatchObject({
      status: 400,
      param: 'input[0].approval_request_id',
      message: expect.stringContaining('no approval has the id'),
    });
    expect(await isPending(request)).toBe(true);
  });

  test('that names no approval of the run before', async () => {
    const [first, other] = [await respond('Guard hi'), await respond('Guard hi')];
    const request = requestIn(first);
    const param = 'input[0].approval_request_id';
    for (const id of ['mcpr_unknown', request.id.replace('mcpr_', 'call_'), request.id.replace('mcpr_', '')])
      expect(await errorOf(respond(answerTo({ id }, true)))).toMatchObject({ status: 400, param });
    const ofOther = respond(answerTo(request, true), { previous_response_id: other.id });
    expect(await errorOf(ofOther)).toMatchObject({ status: 400, param });
    const asOutput = [{ type: 'function_call_output' as const, call_id: request.id, output: '1' }];
    expect(await errorOf(respond(asOutput))).toMatchObject({ status: 400, param: 'input[0].call_id' });
    const tooLong = respond(answerTo(request, true, 'x'.repeat(1_001)));
    expect(await errorOf(tooLong)).toMatchObject({ status: 400, param: 'input[0].reason' });
  });

  test('of another user', async () => {
    const first = await respond('Guard hi', { safety_identifier: newUser() });
    const other = { safety_identifier: newUser() };
    const input = answerTo(requestIn(first), true);
    expect(await errorOf(respond(input, other))).toMatchObject({ status: 400 });
    const named = respond(input, { ...other, previous_response_id: first.id });
    expect(await errorOf(named)).toMatchObject({ status: 404 });
  });
});

describe('a budget', () => {
  const agent = 'openai-thrifty';
  const ask = () => respond('Guard hi', { model: `holdfast/${agent}` });
  beforeAll(() =>
    api.send('PUT', `/api/agents/${agent}`, {
      name: 'Thrifty',
      description: 'Adds',
      instructions: 'You add.',
      tools: ['calculator'],
      budget: { maxToolCalls: 1, onExceeded: 'pause' },
    }),
  );
  beforeEach(() => {
    const adds = (a: number) => ({ name: 'calculator', args: { operation: 'add', a, b: 2 } });
    plays(adds(1), adds(2));
  });

  test('that is approved is as large again', async () => {
    const first = await ask();
    const request = requestIn(first);
    expect([request.name, JSON.parse(request.arguments)]).toMatchObject([
      'raise_budget',
      { budget: { maxToolCalls: 2 }, limit: 'maxToolCalls', used: 1, limits: { maxToolCalls: 1 } },
    ]);
    const second = await respond(answerTo(request, true), { previous_response_id: first.id });
    expect(second.output_text).toBe('It is done.');
  });

  test('at the limit of settings that have changed can only be denied', async () => {
    const strictApi = await stage.api({ ...settings, BUDGET_MAX_TOOL_CALLS: '1' });
    const strict = openAiClient(strictApi.url);
    const request = requestIn(await strict.responses.retrieve((await ask()).id));
    expect(JSON.parse(request.arguments)).not.toHaveProperty('budget');
    const answer = (approve: boolean) =>
      strict.responses.create({ model: 'holdfast', input: answerTo(request, approve) });
    expect(await errorOf(answer(true))).toMatchObject({
      status: 400,
      param: 'input[0].approve',
      message: expect.stringContaining('can only be denied'),
    });
    expect((await answer(false)).status).toBe('failed');
    await strictApi.process.stop();
  });

  test('that is denied fails the run', async () => {
    const second = await respond(answerTo(requestIn(await ask()), false));
    expect([second.status, second.error?.message]).toEqual([
      'failed',
      expect.stringMatching('BUDGET_EXHAUSTED'),
    ]);
  });
});

test('a step of a workflow asks with its message, and only its user answers', async () => {
  const { status } = await api.post('/api/workflow/workflows', {
    id: 'openai-refund',
    name: 'Refund',
    description: 'Adds',
    inputs: { to: { type: 'string', required: true } },
    steps: [sumStep('add', 1, 2, { approval: { message: 'Refund {{input.to}}?' } })],
  });
  expect(status).toBe(201);
  const user = newUser();
  const first = await respond('Ada', { model: 'holdfast/workflow/openai-refund', safety_identifier: user });
  const request = requestIn(first);
  expect(request).toMatchObject({ name: 'calculator', message: 'Refund Ada?' });
  const answer = (safety_identifier: string) =>
    respond(answerTo(request, true), { previous_response_id: first.id, safety_identifier });
  expect(await errorOf(answer(newUser()))).toMatchObject({ status: 404 });
  expect((await answer(user)).output_text).toBe('3');
});
