import type { ChatEvent, LlmProvider } from '../../../src/llm/provider';
import { chatAloud } from '../../../src/llm/chat-aloud';
import { HoldfastError } from '../../../src/base/errors';

const RESULT = {
  provider: 'hosted',
  model: 'm',
  content: 'one two',
  finishReason: 'stop',
  usage: { promptTokens: 1, completionTokens: 2, totalTokens: 3 },
} as const;
const REQUEST = { messages: [] };
const context = (onText?: (soFar: string) => void) => ({
  signal: new AbortController().signal,
  timeoutMs: 1_000,
  onText,
});
const away = (retryable: boolean): HoldfastError =>
  new HoldfastError('MODEL_UNAVAILABLE', 'away', { retryable });

/** A provider that streams the texts, then ends with the result or fails. */
function providerOf(texts: readonly string[], failure?: Error, name = 'hosted') {
  async function* stream(): AsyncGenerator<ChatEvent> {
    for (const text of texts) {
      yield { type: 'token', text };
      await Promise.resolve();
    }
    if (failure !== undefined) throw failure;
    yield { type: 'end', result: RESULT };
  }
  const chat = jest.fn(() => Promise.resolve({ ...RESULT, content: 'as a whole' }));
  return { name, defaultModel: 'm', chat, stream } as unknown as LlmProvider & { chat: typeof chat };
}

test('text is reported as it grows', async () => {
  const provider = providerOf(['one ', 'two']);
  const heard: string[] = [];
  expect(
    await chatAloud(
      provider,
      REQUEST,
      context((text) => void heard.push(text)),
    ),
  ).toEqual(RESULT);
  expect(heard).toEqual(['one ', 'one two']);
  expect(provider.chat).not.toHaveBeenCalled();
});

test('text that no one hears, and that of the rules, is asked for as a whole', async () => {
  for (const [provider, onText] of [
    [providerOf(['one']), undefined],
    [providerOf(['one'], undefined, 'builtin'), () => undefined],
  ] as const) {
    expect(await chatAloud(provider, REQUEST, context(onText))).toMatchObject({ content: 'as a whole' });
  }
});

test('text that broke off is asked for once more, in the time that is left', async () => {
  const provider = providerOf(['one '], away(true));
  expect(
    await chatAloud(
      provider,
      REQUEST,
      context(() => undefined),
    ),
  ).toMatchObject({ content: 'as a whole' });
  expect(provider.chat).toHaveBeenCalledTimes(1);
  const [[, limits]] = provider.chat.mock.calls as unknown as [[unknown, { timeoutMs: number }]];
  expect(limits.timeoutMs).toBeLessThanOrEqual(1_000);
  expect(limits).not.toHaveProperty('onText');
});

test.each([
  ['before any text', providerOf([], away(true))],
  ['for good', providerOf(['one '], away(false))],
])('a failure %s is passed on', async (_, provider) => {
  await expect(
    chatAloud(
      provider,
      REQUEST,
      context(() => undefined),
    ),
  ).rejects.toThrow('away');
  expect(provider.chat).not.toHaveBeenCalled();
});
