import type OpenAI from 'openai';
import { answerApproval, untilListed } from '../support/approvals';
import { asked, classifiesAs, plansInTurn, playsAgent, textsIn } from '../support/agent';
import { newUser } from '../support/memories';
import { says, saysJson } from '../support/model-server';
import type { ModelService } from '../support/model-service';
import { openAiClient } from '../support/openai';
import { pauses } from '../support/model-servers/pausing';
import { useModelService } from '../support/use-service';

let service: ModelService;
let client: OpenAI;
beforeAll(async () => {
  service = await useModelService();
  client = openAiClient(service.url);
});
beforeEach(() => service.hosted.reset());
afterAll(() => service.stop());

type Messages = OpenAI.ChatCompletionMessageParam[];
const asks = (content: string): Messages => [{ role: 'user', content }];
const complete = (messages: Messages, params: Partial<OpenAI.ChatCompletionCreateParamsNonStreaming> = {}) =>
  client.chat.completions.create({ model: 'holdfast', messages, ...params });

const lastAnswer = () => asked(service.hosted.requests, 'answer').at(-1)!;

test('a model reads the conversation as its messages, and system messages as instructions', async () => {
  service.hosted.otherwise(playsAgent({ answer: says('In Lisbon.') }));
  const { choices, usage } = await complete([
    { role: 'system', content: 'You are Captain Mary.' },
    { role: 'user', content: 'I live in Lisbon' },
    { role: 'assistant', content: 'Noted.' },
    { role: 'developer', content: 'Be brief.' },
    { role: 'user', content: 'Where do I live?' },
  ]);
  expect(choices[0]?.message.content).toBe('In Lisbon.');
  expect(usage?.total_tokens).toBeGreaterThan(0);
  const { messages } = lastAnswer().body;
  expect(messages.slice(-3).map(({ role, content }) => [role, content])).toEqual([
    ['user', 'I live in Lisbon'],
    ['assistant', 'Noted.'],
    ['user', 'Where do I live?'],
  ]);
  expect(textsIn(lastAnswer())[0]).toContain('You are Captain Mary.\n\nBe brief.');
});

test('a model that chooses tools reads the conversation too', async () => {
  service.hosted.otherwise(
    playsAgent({
      classify: classifiesAs('tool_execution', ['calculator']),
      plan: plansInTurn([{ name: 'calculator', args: { operation: 'add', a: 2, b: 3 } }], 'It is 5.'),
    }),
  );
  const { choices } = await complete([
    ...asks('My numbers are 2 and 3'),
    { role: 'assistant', content: 'Noted.' },
    ...asks('Add my numbers'),
  ]);
  expect(choices[0]?.message.content).toBe('It is 5.');
  const [plan] = asked(service.hosted.requests, 'plan');
  expect(textsIn(plan!)).toEqual(expect.arrayContaining(['My numbers are 2 and 3', 'Noted.']));
});

test('an answer is streamed while it is made', async () => {
  const { behaviour, release } = pauses('Once upon a time, ', 'it was told.');
  service.hosted.otherwise(playsAgent({ answer: behaviour }));
  const stream = await client.chat.completions.create({
    model: 'holdfast',
    stream: true,
    messages: asks('Tell me a story'),
  });
  const heard: string[] = [];
  for await (const { choices } of stream) {
    const text = choices[0]?.delta.content ?? '';
    if (text === '') continue;
    heard.push(text);
    // The rest is only made once the beginning was received.
    release();
  }
  expect(heard[0]).toBe('Once upon a time, ');
  expect(heard.join('')).toBe('Once upon a time, it was told.');
});

test('a caller that goes away ends its stream, and not its run', async () => {
  const { behaviour, release } = pauses('Once upon a time, ', 'it was told.');
  service.hosted.otherwise(playsAgent({ answer: behaviour }));
  const { data: stream, response } = await client.chat.completions
    .create({ model: 'holdfast', stream: true, messages: asks('Tell me a story') })
    .withResponse();
  for await (const { choices } of stream) if (choices[0]?.delta.content) break;
  stream.controller.abort();
  release();
  const { body } = await service.get(`/api/runs/${response.headers.get('x-trace-id')}/wait?timeout=20`);
  expect(body.data).toMatchObject({
    status: 'completed',
    result: { response: 'Once upon a time, it was told.' },
  });
});

test('an answer in a form, also streamed', async () => {
  const output = { town: 'York', floor: 3 };
  service.hosted.otherwise(playsAgent({ answer: saysJson(output) }));
  const schema = {
    type: 'object',
    properties: { town: { type: 'string' }, floor: { type: 'integer' } },
    required: ['town', 'floor'],
  };
  const formats: OpenAI.ChatCompletionCreateParams['response_format'][] = [
    { type: 'json_schema', json_schema: { name: 'place', schema } },
    { type: 'json_object' },
  ];
  for (const response_format of formats) {
    const { choices } = await complete(asks('Our office in York is on the third floor'), { response_format });
    expect(JSON.parse(choices[0]?.message.content ?? '')).toEqual(output);
    const stream = await client.chat.completions.create({
      model: 'holdfast',
      stream: true,
      response_format,
      messages: asks('Our office in York is on the third floor'),
    });
    let said = '';
    for await (const chunk of stream) said += chunk.choices[0]?.delta.content ?? '';
    expect(JSON.parse(said)).toEqual(output);
  }
});

test('an answer that is cut off says so', async () => {
  service.hosted.otherwise(playsAgent({ answer: says('Once upon', { finishReason: 'length' }) }));
  const { choices } = await complete(asks('Tell me a story'), { max_tokens: 16 });
  expect(choices[0]).toMatchObject({ finish_reason: 'length', message: { content: 'Once upon' } });
});

test('files by data URL, and none of earlier messages', async () => {
  service.hosted.otherwise(playsAgent({ answer: says('Apples.') }));
  const text = `data:text/csv;base64,${Buffer.from('fruit,price\napple,2').toString('base64')}`;
  const file: OpenAI.ChatCompletionContentPart = {
    type: 'file',
    file: { filename: 'prices.csv', file_data: text },
  };
  const { data, response } = await client.chat.completions
    .create({
      model: 'holdfast',
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Hello' }, file] },
        { role: 'assistant', content: 'Hi' },
        { role: 'user', content: [{ type: 'text', text: 'Which fruit is cheapest?' }, file] },
      ],
    })
    .withResponse();
  expect(data.choices[0]?.message.content).toBe('Apples.');
  expect(response.headers.get('x-holdfast-ignored')).toBe('messages[0].content[1]');
  expect(JSON.stringify(lastAnswer().body.messages)).toContain('apple,2');
});

test('tool_choice none offers no tools', async () => {
  service.hosted.otherwise(
    playsAgent({ classify: classifiesAs('tool_execution', ['calculator']), answer: says('I cannot.') }),
  );
  const { choices } = await complete(asks('Add 2 and 3'), { tool_choice: 'none' });
  expect(choices[0]?.message.content).toBe('I cannot.');
  expect(asked(service.hosted.requests, 'plan')).toEqual([]);
});

test('a named agent keeps its own temperature', async () => {
  service.hosted.otherwise(playsAgent({ answer: says('Aye.') }));
  await service.send('PUT', '/api/agents/openai-mary', {
    name: 'Mary',
    description: 'A captain',
    instructions: 'You are Captain Mary.',
    temperature: 0.1,
  });
  const model = 'holdfast/openai-mary';
  expect(await client.models.retrieve(model)).toMatchObject({ id: model });
  const { data, response } = await client.chat.completions
    .create({ model, temperature: 1, messages: asks('Are you there?') })
    .withResponse();
  expect(data.choices[0]?.message.content).toBe('Aye.');
  expect(response.headers.get('x-holdfast-ignored')).toBe('temperature');
  await service.send('DELETE', '/api/agents/openai-mary');
});

test('a call that waits for a person ends the answer with a link', async () => {
  await service.post('/api/tools/register', {
    name: 'openai_guarded',
    parameters: { text: 'string' },
    execute: '(args) => args.text.toUpperCase()',
    requiresApproval: true,
  });
  service.hosted.otherwise(
    playsAgent({
      classify: classifiesAs('tool_execution', ['openai_guarded']),
      plan: plansInTurn([{ name: 'openai_guarded', args: { text: 'hi' } }], 'It is done.'),
    }),
  );
  const { data, response } = await client.chat.completions
    .create({ model: 'holdfast', safety_identifier: newUser(), messages: asks('Guard hi') })
    .withResponse();
  const stream = await client.chat.completions.create({
    model: 'holdfast',
    stream: true,
    messages: asks('Guard hi'),
  });
  let said = '';
  let finish: string | null | undefined;
  for await (const { choices } of stream) {
    said += choices[0]?.delta.content ?? '';
    finish = choices[0]?.finish_reason ?? finish;
  }
  expect([data.choices[0]?.finish_reason, finish]).toEqual(['stop', 'stop']);
  for (const text of [said, data.choices[0]?.message.content ?? '']) {
    expect(text).toContain('the call of openai_guarded: {"text":"hi"}');
    const link = /http\S+/.exec(text)?.[0] ?? '';
    const page = await fetch(link);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('openai_guarded')]);
  }
  const traceId = response.headers.get('x-trace-id') ?? '';
  // What waits is answered, so that nothing is left of the test.
  for (const approval of await untilListed(service, 'status=pending', 2))
    await answerApproval(service, approval, { decision: 'approve' });
  const { body } = await service.get(`/api/runs/${traceId}/wait?timeout=20`);
  expect(body.data.result.response).toBe('It is done.');
});
