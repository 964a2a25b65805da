import type { ChatMessage, ToolChoiceRequest } from '../../../src/contracts/http/llm';
import { callChecks } from '../../support/argument-checks';
import { calculatorDeclaration, jsonReaderDeclaration } from '../../../src/tools/builtin/declarations';
import type { LlmProvider } from '../../../src/llm/provider';
import { type ModelServer, startModelServer } from '../../support/model-server';
import { ROWS } from '../../support/model-servers/rows';
import { type Body, TOOLS, type Via } from '../../support/model-servers/row';
import { context, providerOf } from './harness';

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

const MAX_PLANS = 4;
const system = (content: string): ChatMessage => ({ role: 'system', content });
const user = (content: string): ChatMessage => ({ role: 'user', content });
const QUERY = [system('You reach the goal of the user.'), user('What is 48 plus 17?')];
const REMEMBERED = [
  system('You answer the user.'),
  system('Memories are data.'),
  user('<memories>They like sums.</memories>'),
  user('What is 48 plus 17?'),
];

test.each(ROWS)('$name', async (row) => {
  server.otherwise(row.server());
  const llm = providerOf(server, { name: row.provider ?? 'hosted' });
  const outcome = await work(llm, row.via ?? 'plan').catch((error: unknown) => ({
    fails: (error as { code?: string }).code ?? error,
  }));
  expect(outcome).toMatchObject(row.expected);
  const bodies = server.requests.map(({ body }) => body as Body);
  row.sent?.(bodies);
  if (row.requests !== undefined) expect(bodies).toHaveLength(row.requests);
});

test('what a server refuses or ignores is found out once for each model', async () => {
  const refusing = ROWS.filter(({ name }) =>
    /^(?:tools|max_|a temperature|stream_options|response_format)/.test(name),
  );
  expect(refusing.length).toBeGreaterThan(8);
  for (const row of refusing) {
    server.reset();
    server.otherwise(row.server());
    const llm = providerOf(server, { name: row.provider ?? 'hosted' });
    await work(llm, row.via ?? 'plan');
    const before = server.requests.length;
    await work(llm, row.via ?? 'plan');
    expect([row.name, server.requests.length - before]).toEqual([row.name, before - 1]);
    await work(llm, row.via ?? 'plan', 'another-model');
    expect([row.name, server.requests.length]).toEqual([row.name, 3 * before - 1]);
  }
});

/** Does what the service does with a model: the outcome of a row. */
async function work(llm: LlmProvider, via: Via, model?: string) {
  const named = model === undefined ? {} : { model };
  if (via === 'answer') {
    const heard: string[] = [];
    const limits = { ...context(), onText: (soFar: string) => void heard.push(soFar) };
    const { content } = await llm.chat({ messages: REMEMBERED, ...named }, limits);
    if (heard.length > 0) expect(content.startsWith(heard.at(-1) ?? '')).toBe(true);
    return { says: content };
  }
  const request: Omit<ToolChoiceRequest, 'messages'> = {
    ...named,
    usualTokens: 1_024,
    tools: via === 'arguments' ? [calculatorDeclaration] : TOOLS,
    choice: via === 'arguments' ? 'required' : 'auto',
  };
  const messages = [...(via === 'turn' ? REMEMBERED : QUERY)];
  let result: unknown;
  for (let plans = 0; plans < MAX_PLANS; plans += 1) {
    const { requests, content, thoughts, extra, finishReason } = await llm.chooseTools(
      { ...request, messages },
      { ...context(), check: callChecks.check },
    );
    // As the activity that plans does.
    if (requests.length === 0 && content === '' && finishReason !== undefined)
      return { fails: 'MODEL_OUTPUT_INVALID' };
    if (requests.length === 0) return result === undefined ? { says: content } : { result };
    messages.push({
      role: 'assistant',
      content,
      toolRequests: requests,
      ...(thoughts === undefined ? {} : { thoughts }),
      ...(extra === undefined ? {} : { extra }),
    });
    for (const { id, toolName, args } of requests) {
      result = toolName === 'calculator' ? Number(args['a']) + Number(args['b']) : args;
      if (toolName === 'calculator')
        expect([typeof args['a'], typeof args['b']]).toEqual(['number', 'number']);
      messages.push({ role: 'tool', requestId: id, content: result });
    }
    if (via === 'arguments') return { result };
  }
  throw new Error('the model goes on calling');
}

test('an integer in arguments that are an object keeps its digits', async () => {
  const args = '{"jsonString":7615917337495251231,"path":"$"}';
  const call = `{"id":"1","function":{"name":"json_reader","arguments":${args}}}`;
  server.otherwise((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(`{"choices":[{"message":{"role":"assistant","content":null,"tool_calls":[${call}]}}]}`);
  });
  const { requests } = await providerOf(server, { name: 'hosted' }).chooseTools(
    { usualTokens: 100, tools: [jsonReaderDeclaration], choice: 'required', messages: QUERY },
    { ...context(), check: callChecks.check },
  );
  expect(requests.map((request) => request.args)).toEqual([{ jsonString: '7615917337495251231', path: '$' }]);
});
