import { toChatMessages, withEarlier, withoutEarlier } from '../../../src/conversation/earlier-messages';
import { fitEarlier } from '../../../src/conversation/fit-context';
import { NOTHING_RECALLED } from '../../../src/contracts/runs/turns';

const TIME = '2026-01-01T00:00:00.000Z';
const EARLIER = [
  { role: 'user', content: 'I live in Lisbon' },
  { role: 'assistant', content: 'Noted.' },
] as const;
const recalled = {
  ...NOTHING_RECALLED,
  recent: [
    { id: 'a', role: 'user', content: 'I live in Lisbon', timestamp: TIME },
    { id: 'b', role: 'user', content: 'I like tea', timestamp: TIME },
  ] as const,
};

test('what the caller has sent is left out of what memory has of the session', () => {
  expect(withoutEarlier(recalled, EARLIER).recent.map(({ id }) => id)).toEqual(['b']);
  expect(withEarlier(recalled, EARLIER).recent.map(({ content }) => content)).toEqual([
    'I live in Lisbon',
    'Noted.',
    'I like tea',
  ]);
  expect([withoutEarlier(recalled, undefined), withEarlier(recalled, [])]).toEqual([recalled, recalled]);
});

test('the oldest messages are left out until the prompt fits the context of the model', async () => {
  const earlier = Array.from({ length: 8 }, (_, index) => ({
    role: 'user' as const,
    content: `message ${index}`,
  }));
  const provider = {
    contextTokens: () => Promise.resolve(40),
    estimatePrompt: ({ messages }: { readonly messages: readonly unknown[] }) => messages.length * 10,
  };
  const fitted = await fitEarlier(provider, { model: 'small' }, earlier, toChatMessages);
  expect(fitted.earlier.map(({ content }) => content)).toEqual(['message 6', 'message 7']);
  expect(fitted.degraded).toEqual([
    {
      service: 'llm',
      reason: 'The model "small" reads 40 tokens',
      consequence: 'left out of its prompt: 6 earlier messages',
    },
  ]);
});
