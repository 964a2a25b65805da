import OpenAI from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { playsAgent } from '../support/agent';
import { LEXICAL, newUser } from '../support/memories';
import { callsTools, type ModelServer, says, startModelServer } from '../support/model-server';
import { hostedBy, offeredIn, outcomesIn } from '../support/model-service';
import { errorOf, openAiClient } from '../support/openai';
import { type Api, openStage, type Stage } from '../support/stage';
import { waitFor } from '../support/wait';

const PARAMETERS = { type: 'object', properties: { item: { type: 'string' } }, required: ['item'] };
const TOOLS = [
  {
    type: 'function' as const,
    function: { name: 'stock_of', description: 'How many pieces there are', parameters: PARAMETERS },
  },
];
const QUESTION: ChatCompletionMessageParam = { role: 'user', content: 'How many lamps are there?' };

let stage: Stage;
let model: ModelServer;
let settings: Record<string, string>;
let client: OpenAI;
let api: Api;

beforeAll(async () => {
  stage = await openStage();
  model = await startModelServer();
  settings = { ...LEXICAL, ...hostedBy(model) };
  api = await stage.allInOne(settings);
  client = openAiClient(api.url);
});
beforeEach(() => {
  model.reset();
  model.otherwise(
    playsAgent({
      plan(asked, response) {
        const [first, second] = outcomesIn(asked);
        const next =
          first === undefined
            ? callsTools([{ name: 'stock_of', args: { item: 'lamp' } }])
            : second === undefined
              ? callsTools([{ name: 'stock_of', args: { item: 'desk' } }])
              : says(`I read ${first} and ${second}.`);
        return next(asked, response);
      },
    }),
  );
});
/** Ends the runs that no test has given their outputs. */
afterEach(() =>
  waitFor(
    async () => {
      const { body } = await api.get('/api/approvals?status=pending');
      const { approvals } = body.data;
      for (const { runId } of approvals) await api.post(`/api/runs/${runId}/cancel`, {});
      return approvals.length === 0 ? true : undefined;
    },
    { what: 'no run to wait' },
  ),
);
afterAll(async () => {
  await stage.close();
  await model.close();
});

const chat = (messages: ChatCompletionMessageParam[], more: object = {}) =>
  client.chat.completions.create({ model: 'holdfast', messages, tools: TOOLS, ...more });

/** The one call that a completion hands over. */
function callIn({ choices }: OpenAI.ChatCompletion) {
  const [choice] = choices;
  expect(choice?.finish_reason).toBe('tool_calls');
  const [call, ...others] = choice?.message.tool_calls ?? [];
  expect(others).toEqual([]);
  if (call?.type !== 'function') throw new Error('there is no call of a function');
  return {
    message: choice!.message,
    id: call.id,
    name: call.function.name,
    args: JSON.parse(call.function.arguments),
  };
}

const outputOf = (id: string, output: unknown): ChatCompletionMessageParam => ({
  role: 'tool',
  tool_call_id: id,
  content: JSON.stringify(output),
});

test('a call is handed to the caller, and its output continues the run', async () => {
  const first = await chat([QUESTION]);
  const call = callIn(first);
  expect(call).toMatchObject({ name: 'stock_of', args: { item: 'lamp' } });
  expect(offeredIn(model.requests.at(-1))).toContain('calculator');
  const messages = [QUESTION, call.message, outputOf(call.id, { pieces: 7 })];
  const second = await chat(messages);
  expect(second.id).toBe(first.id);
  const next = callIn(second);
  expect(next.args).toEqual({ item: 'desk' });
  const all = [...messages, next.message, outputOf(next.id, { pieces: 2 })];
  const third = await chat(all);
  expect(third.choices[0]).toMatchObject({
    finish_reason: 'stop',
    message: { content: 'I read {"pieces":7} and {"pieces":2}.' },
  });
  expect(third.usage?.total_tokens).toBeGreaterThan(0);
  // The outputs are known by now, so the same request has the same answer.
  expect((await chat(all)).choices).toEqual(third.choices);
});

test('streams hand over calls, and go on with their outputs', async () => {
  const messages: ChatCompletionMessageParam[] = [QUESTION];
  const stream = async () => client.chat.completions.stream({ model: 'holdfast', messages, tools: TOOLS });
  for (const pieces of [7, 2]) {
    const call = callIn(await (await stream()).finalChatCompletion());
    messages.push(call.message, outputOf(call.id, { pieces }));
  }
  const last = await (await stream()).finalChatCompletion();
  expect(last.choices[0]?.message.content).toBe('I read {"pieces":7} and {"pieces":2}.');
});

test('the built-in rules call a tool of the caller that is named, and answer with its output', async () => {
  const named: ChatCompletionMessageParam = { role: 'user', content: 'call stock_of for item lamp' };
  const withoutModel = await openStage();
  const own = await withoutModel.allInOne(LEXICAL);
  const rules = new OpenAI({ apiKey: 'none', baseURL: `${own.url}/v1` });
  const ask = (messages: ChatCompletionMessageParam[]) =>
    rules.chat.completions.create({ model: 'holdfast', messages, tools: TOOLS });
  const call = callIn(await ask([named]));
  expect(call.args).toEqual({ item: 'lamp' });
  const { choices } = await ask([named, call.message, outputOf(call.id, { pieces: 7, shelf: 'B' })]);
  await withoutModel.close();
  expect(choices[0]?.message.content).toMatch(/7.*B|B.*7/s);
});

test('tool_choice is obeyed', async () => {
  await chat([QUESTION], { tool_choice: 'required' });
  expect(model.requests.at(-1)?.body.tool_choice).toBe('required');
  await chat([QUESTION], { tool_choice: { type: 'function', function: { name: 'stock_of' } } });
  expect(model.requests.at(-1)?.body.tool_choice).toBe('required');
  expect(offeredIn(model.requests.at(-1))).toEqual(['stock_of']);
  const { choices } = await chat([QUESTION], { tool_choice: 'none' });
  expect(choices[0]?.finish_reason).toBe('stop');
});

test('a conversation that goes on without an output ends the turn that waits for it', async () => {
  const user = newUser();
  callIn(await chat([QUESTION], { user }));
  const second = await chat([QUESTION, { role: 'user', content: 'Never mind. How many lamps?' }], { user });
  callIn(second);
  const { runs } = await waitFor(
    async () => {
      const { data } = (await api.get(`/api/runs?userId=${user}`)).body;
      return data.runs.some(({ status }: { status: string }) => status === 'cancelled') ? data : undefined;
    },
    { what: 'the first turn to end' },
  );
  expect(runs).toHaveLength(2);
});

test.each<[string, object, string]>([
  [
    'a name that the service has',
    { tools: [{ type: 'function', function: { name: 'calculator' } }] },
    'tools',
  ],
  ['a tool of OpenAI', { tools: [{ type: 'web_search' }] }, 'tools[0].type'],
  [
    'a choice of an unknown tool',
    { tool_choice: { type: 'function', function: { name: 'x' } } },
    'tool_choice',
  ],
  ['functions of the older form', { functions: [{ name: 'x' }] }, 'functions'],
])('%s is refused', async (_, more, param) => {
  expect(await errorOf(chat([QUESTION], more))).toMatchObject({ status: 400, param });
});

test('a user continues no run of another one, and a call has all of its arguments', async () => {
  const secret = { password: 'hunter22', text: 'x'.repeat(20_000) };
  model.otherwise(playsAgent({ plan: callsTools([{ name: 'log_in', args: secret }]) }));
  const user = newUser();
  const tools = [{ type: 'function', function: { name: 'log_in', parameters: { type: 'object' } } }];
  const call = callIn(await chat([QUESTION], { user, tools }));
  expect(call.args).toEqual(secret);
  const output = [QUESTION, call.message, outputOf(call.id, 1)];
  expect(await errorOf(chat(output, { user: newUser() }))).toMatchObject({
    status: 400,
    param: 'messages[2].tool_call_id',
  });
});

test('an output of a call that was not made is refused', async () => {
  const messages: ChatCompletionMessageParam[] = [QUESTION, outputOf('call_unknown', 1)];
  expect(await errorOf(chat(messages))).toMatchObject({ status: 400, param: 'messages[1].tool_call_id' });
});
