import { createThoughtDivider, divideThoughts, mayBeginThoughts } from '../../../src/llm/openai/thoughts';
import { type ModelServer, startModelServer, streams } from '../../support/model-server';
import { context, HELLO, providerOf } from './harness';

test.each([
  ['no marks', 'Hello', 'Hello'],
  ['thoughts alone', '<think>Hm', ''],
  ['a mark that the text is about', 'Close it by `</think>`.', 'Close it by `</think>`.'],
  ['both marks in the middle', 'Write <think>a</think> so.', 'Write <think>a</think> so.'],
  ['an end without a beginning', 'Hm.\n</thinking>\nHello', 'Hello'],
  ['an end in the text of an object', '{"mark": "the </think> of it"}', '{"mark": "the </think> of it"}'],
  ['an end in fenced JSON', '```json\n["a </think>"]\n```', '```json\n["a </think>"]\n```'],
  ['thoughts before an object', 'Hm.</think>{"a": "b"}', '{"a": "b"}'],
  ['an end of a channel alone', 'Hello<|end|>', 'Hello<|end|>'],
])('of a text with %s', (_name, text, said) => {
  expect(divideThoughts(text).said).toBe(said);
});

test('a text that grows is divided as a whole one is, wherever its parts begin', () => {
  const text = 'Hm.\n</think>\n\nHello </think> there';
  for (let size = 1; size <= text.length; size += 1) {
    const divide = createThoughtDivider({ isOpened: true });
    let said = '';
    for (let end = size; end < text.length + size; end += size) said = divide(text.slice(0, end)).said;
    expect([size, said]).toEqual([size, 'Hello </think> there']);
  }
});

test('the beginning of a mark may become one', () => {
  expect(['<', '<thi', '[THIN', ' <think'].map(mayBeginThoughts)).toEqual([true, true, true, true]);
  expect(['<b>', 'T', '<think>'].map(mayBeginThoughts)).toEqual([false, false, false]);
});

describe('a stream of a model whose template opens its thoughts', () => {
  let server: ModelServer;
  beforeEach(async () => {
    server = await startModelServer();
  });
  afterEach(() => server.close());

  test('is held back until they end, once the model is known for it', async () => {
    server.otherwise(streams(['They ', 'greet. ', '</think>', '\n\nHello ', 'you']));
    const llm = providerOf(server);
    const ask = async (): Promise<[string, string[]]> => {
      const heard: string[] = [];
      const limits = { ...context(), onText: (soFar: string) => void heard.push(soFar) };
      return [(await llm.chat(HELLO, limits)).content, heard];
    };
    expect(await ask()).toEqual(['Hello you', ['They ', 'They greet. ', 'Hello ', 'Hello you']]);
    expect(await ask()).toEqual(['Hello you', ['Hello ', 'Hello you']]);
  });

  test('that does not think is its text', async () => {
    const llm = providerOf(server);
    server.script(streams(['Hm. </think>', 'Hello']), streams(['Just ', 'this']));
    const limits = { ...context(), onText: () => undefined };
    await llm.chat(HELLO, limits);
    expect(await llm.chat(HELLO, limits)).toMatchObject({ content: 'Just this' });
  });
});
