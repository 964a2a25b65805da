import { z } from 'zod';
import type { ChatMessage, ToolDescription } from '../../../src/contracts/http/llm';
import { toInputSchema } from '../../../src/contracts/http/tool-schemas';
import { callChecks } from '../../support/argument-checks';
import { createBuiltinProvider } from '../../support/rules';
import { builtinDefinitions } from '../../../src/tools/builtin/declarations';

const provider = createBuiltinProvider();
const context = { ...callChecks, timeoutMs: 5_000 };

function user(content: string): ChatMessage[] {
  return [{ role: 'user', content }];
}

async function chat(content: string): Promise<string> {
  return (await provider.chat({ messages: user(content) }, context)).content;
}

/** Runs a conversation to its end, answering each request by `outputs` in order. */
async function converse(query: string, outputs: readonly unknown[], tools = builtinDefinitions) {
  const messages = user(query);
  const calls: [string, unknown][] = [];
  for (;;) {
    const { requests, content } = await provider.chooseTools({ messages, tools, choice: 'auto' }, context);
    const [request, ...others] = requests;
    expect(others).toEqual([]);
    if (!request) return { calls, content };
    const output = outputs[calls.length];
    calls.push([request.toolName, request.args]);
    messages.push({ role: 'assistant', content: '', toolRequests: [request] });
    messages.push({ role: 'tool', requestId: request.id, content: output });
  }
}

describe('chooseTools', () => {
  test('asks for one call after another and tells the result', async () => {
    const { calls, content } = await converse('multiply 6 by 7 and then subtract 2', [42, 40]);
    expect(calls).toEqual([
      ['calculator', { operation: 'multiply', a: 6, b: 7 }],
      ['calculator', { operation: 'subtract', a: 42, b: 2 }],
    ]);
    expect(content).toBe('The result of calculator is 40.');
  });

  test('reads fetched data where the part really is, and calculates on it', async () => {
    const data = { cart: { Total: 12.5, items: [] } };
    const { calls } = await converse('fetch https://example.com/cart, take the total and multiply it by 3', [
      { status: 200, data },
      { result: 12.5, path: '$.cart.Total' },
      37.5,
    ]);
    expect(calls.slice(1)).toEqual([
      ['json_reader', { jsonString: JSON.stringify(data), path: '$.cart.Total' }],
      ['calculator', { operation: 'multiply', a: 12.5, b: 3 }],
    ]);
  });

  test('refuses to read a part that the data does not have', async () => {
    const asked = converse('fetch https://example.com and tell me the total', [{ data: { a: 1 } }, {}]);
    await expect(asked).rejects.toMatchObject({
      code: 'QUERY_NOT_UNDERSTOOD',
      message: 'The document has no "total".',
    });
  });

  test('says that a step failed', async () => {
    const messages: ChatMessage[] = [
      ...user('divide 1 by 0 and add 2'),
      { role: 'assistant', content: '', toolRequests: [{ id: 'x', toolName: 'calculator', args: {} }] },
      { role: 'tool', requestId: 'x', content: 'Division by zero', failed: true },
    ];
    const result = await provider.chooseTools(
      { messages, tools: builtinDefinitions, choice: 'auto' },
      context,
    );
    expect(result).toMatchObject({
      requests: [],
      content: 'The call of calculator failed: Division by zero',
    });
  });

  const contact: ToolDescription = {
    name: 'add_contact',
    description: 'Adds a person to the address book',
    inputSchema: toInputSchema({
      name: { type: 'string', description: 'Full name', required: true },
      email: { type: 'string', description: 'Email address', required: true },
    }),
  };

  test('with one tool required, the text need not name it', async () => {
    const request = {
      messages: user('name: Mary Jones, mary@jones.org'),
      tools: [contact],
      choice: 'required',
    } as const;
    const { requests } = await provider.chooseTools(request, context);
    expect(requests[0]?.args).toEqual({ name: 'Mary Jones', email: 'mary@jones.org' });
  });

  test('with one tool required, more than one call is refused', async () => {
    const messages = user('add 3 and 4, double it');
    const tools = builtinDefinitions.filter(({ name }) => name === 'calculator');
    await expect(
      provider.chooseTools({ messages, tools, choice: 'required' }, context),
    ).rejects.toMatchObject({
      code: 'QUERY_NOT_UNDERSTOOD',
      details: { field: 'query', toolName: 'calculator' },
    });
  });

  test('names what is missing', async () => {
    const request = {
      messages: user('add contact, name: Mary Jones'),
      tools: [contact],
      choice: 'auto',
    } as const;
    await expect(provider.chooseTools(request, context)).rejects.toMatchObject({
      code: 'QUERY_NOT_UNDERSTOOD',
      details: { missing: 'email', toolName: 'add_contact', extractedArgs: { name: 'Mary Jones' } },
    });
  });
});

describe('chat', () => {
  test.each([
    ['What is the name in {"user":{"name":"Ann"}}?', 'Ann'],
    ['what is 12 times 4', '48'],
    ['What is 0.1 plus 0.2?', '0.3'],
    ['Reply with exactly: hello there', 'hello there'],
    ['Repeat: one two', 'one two'],
  ])('%j is answered from its text', async (prompt, expected) => {
    expect(await chat(prompt)).toBe(expected);
  });

  test.each([
    'Write a poem about the sea',
    'Summarise: Cats sleep. Dogs bark.',
    'hello',
    'Who is the president of France?',
    '',
  ])('%j takes a language model', async (prompt) => {
    await expect(chat(prompt)).rejects.toMatchObject({
      code: 'MODEL_NOT_CONFIGURED',
      message: expect.stringMatching(/OPENAI_API_KEY.*LOCAL_LLM_BASE_URL/),
    });
  });

  test('maxTokens cuts the answer off', async () => {
    const request = { messages: user('Reply with exactly: one two three four'), maxTokens: 2 };
    expect(await provider.chat(request, context)).toMatchObject({
      content: 'one two',
      finishReason: 'length',
      provider: 'builtin',
      model: 'builtin',
      usage: { completionTokens: 2 },
    });
  });

  test('an unknown model is an error', async () => {
    const request = { messages: user('what is 1 plus 1'), model: 'gpt-4o' };
    await expect(provider.chat(request, context)).rejects.toMatchObject({ code: 'MODEL_UNKNOWN' });
  });

  test('an abort rejects with its reason', async () => {
    const controller = new AbortController();
    controller.abort(new Error('stopped'));
    const call = provider.chat(
      { messages: user('what is 1 plus 1') },
      { ...context, signal: controller.signal },
    );
    await expect(call).rejects.toThrow('stopped');
  });
});

describe('structured', () => {
  const schema = z.object({ name: z.string() });

  test('takes JSON that fits from the prompt', async () => {
    const request = { messages: user('From [1] and {"name":"Ann"} make one'), schema, schemaName: 'person' };
    expect(await provider.structured(request, context)).toMatchObject({
      value: { name: 'Ann' },
      repaired: false,
    });
  });

  test('says that it has no model otherwise', async () => {
    const request = { messages: user('Make up a person'), schema, schemaName: 'person' };
    await expect(provider.structured(request, context)).rejects.toMatchObject({
      code: 'MODEL_NOT_CONFIGURED',
    });
  });
});
