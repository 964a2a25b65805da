import OpenAI from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { playsAgent } from '../support/agent';
import { cancelWaiting } from '../support/approvals';
import { LEXICAL, newUser } from '../support/memories';
import { callsTools, type ModelServer, says, startModelServer } from '../support/model-server';
import { hostedBy, offeredIn, outcomesIn } from '../support/model-service';
import { collectResponse, errorOf, openAiClient } from '../support/openai';
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
afterEach(() => cancelWaiting(api));
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

describe('responses', () => {
  const FUNCTIONS = [{ type: 'function' as const, name: 'stock_of', parameters: PARAMETERS, strict: false }];
  type Input = OpenAI.Responses.ResponseInputItem[];
  const respond = (input: Input, more: object = {}) =>
    client.responses.create({ model: 'holdfast', input, tools: FUNCTIONS, ...more });
  const QUESTION_ITEM = { role: 'user' as const, content: 'How many lamps are there?' };

  function callOf({ status, output }: OpenAI.Responses.Response): OpenAI.Responses.ResponseFunctionToolCall {
    expect([status, output.length]).toEqual(['completed', 1]);
    const [item] = output;
    if (item?.type !== 'function_call') throw new Error('there is no call of a function');
    return item;
  }
  const outputItem = ({ call_id }: { readonly call_id: string }, output: unknown) => ({
    type: 'function_call_output' as const,
    call_id,
    output: JSON.stringify(output),
  });

  test('a call and its output are parts of one run, each a response that is found again', async () => {
    const first = await respond([QUESTION_ITEM]);
    expect([first.tools, first.tool_choice]).toMatchObject([
      [{ name: 'stock_of', parameters: PARAMETERS }],
      'auto',
    ]);
    const lamps = callOf(first);
    expect(lamps).toMatchObject({ name: 'stock_of', arguments: '{"item":"lamp"}' });
    const second = await respond([outputItem(lamps, { pieces: 7 })], { previous_response_id: first.id });
    expect(second).toMatchObject({ id: `${first.id}_2`, previous_response_id: first.id });
    const desks = callOf(second);
    const third = await respond(
      [QUESTION_ITEM, lamps, outputItem(lamps, { pieces: 7 }), desks, outputItem(desks, 2)].slice(4),
    );
    expect(third).toMatchObject({ id: `${first.id}_3`, status: 'completed' });
    expect(third.output_text).toBe('I read {"pieces":7} and "2".');
    for (const each of [first, second, third]) expect(await client.responses.retrieve(each.id)).toEqual(each);
    expect(await errorOf(client.responses.retrieve(`${first.id}_4`))).toMatchObject({ status: 404 });
  });

  test('a stream hands a call over, and its events are the same again', async () => {
    const events = await collectResponse((await respond([QUESTION_ITEM], { stream: true })) as never);
    const types = events.map(({ type }) => type);
    expect(types).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.completed',
    ]);
    const last = events.at(-1);
    if (last?.type !== 'response.completed') throw new Error('it is not complete');
    const again = await collectResponse(
      await client.responses.retrieve(last.response.id, { stream: true, starting_after: 1 }),
    );
    expect(again).toEqual(events.slice(2));
    const next = await collectResponse(
      (await respond([outputItem(callOf(last.response), { pieces: 7 })], { stream: true })) as never,
    );
    expect(next.at(-1)).toMatchObject({
      type: 'response.completed',
      response: { id: `${last.response.id}_2`, output: [{ type: 'function_call', name: 'stock_of' }] },
    });
  });

  test('what has no effect beside an output is named', async () => {
    const lamps = callOf(await respond([QUESTION_ITEM]));
    const { response } = await client.responses
      .create({
        model: 'holdfast',
        input: [outputItem(lamps, 7)],
        tools: FUNCTIONS,
        tool_choice: 'auto',
        instructions: 'Be brief.',
        metadata: { order: '7' },
        temperature: 0.5,
      })
      .withResponse();
    const ignored = response.headers.get('x-holdfast-ignored');
    for (const name of ['tools', 'tool_choice', 'instructions', 'metadata', 'temperature'])
      expect(ignored).toContain(name);
  });

  test('a part that works longer than a request may wait is in progress', async () => {
    const hasty = await stage.api({ ...settings, WAIT_LIMIT_MS: '3000' });
    const first = await respond([QUESTION_ITEM]);
    const call = callIn(await chat([QUESTION]));
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    model.otherwise(
      playsAgent({
        async plan(request, response) {
          await released;
          await says('There are seven.')(request, response);
        },
      }),
    );
    const impatient = openAiClient(hasty.url).withOptions({ maxRetries: 0 });
    const second = await impatient.responses.create({
      model: 'holdfast',
      input: [outputItem(callOf(first), 7)],
    });
    expect(second).toMatchObject({ id: `${first.id}_2`, status: 'in_progress', output: [] });
    const messages = [QUESTION, call.message, outputOf(call.id, 7)];
    await expect(
      impatient.chat.completions.create({ model: 'holdfast', messages, tools: TOOLS }),
    ).rejects.toMatchObject({ code: 'RUN_STILL_GOING' });
    release();
    expect((await chat(messages)).choices[0]?.message.content).toBe('There are seven.');
    const { output_text: text } = await waitFor(
      async () => {
        const now = await client.responses.retrieve(second.id);
        return now.status === 'completed' ? now : undefined;
      },
      { what: 'the run to end' },
    );
    expect(text).toBe('There are seven.');
    await hasty.process.stop();
  });
});
