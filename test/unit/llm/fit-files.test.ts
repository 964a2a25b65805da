import type { TurnFile } from '../../../src/contracts/http/files';
import type { ChatMessage } from '../../../src/contracts/http/llm';
import { fitFiles } from '../../../src/llm/fit-files';
import { createPromptEstimates } from '../../../src/llm/prompt-estimates';
import { TOKENS_AN_IMAGE } from '../../../src/llm/prompt-tokens';

const { estimate } = createPromptEstimates('local');
const CHOICE = { model: 'm', maxTokens: 100 };
const textFile = (name: string, words: number) => ({
  name,
  type: 'text/plain',
  size: 5 * words,
  text: 'word '.repeat(words),
});
const asking = (...files: TurnFile[]): ChatMessage[] => [
  { role: 'system', content: 'Answer.' },
  { role: 'user', content: 'Sum it up', files },
];
const fit = (size: number | undefined, files: TurnFile[], reserve = 0) =>
  fitFiles(
    { estimatePrompt: estimate, contextTokens: () => Promise.resolve(size) },
    CHOICE,
    asking(...files),
    { reserve },
  );
const textsOf = (messages: readonly ChatMessage[]): string[] =>
  messages.flatMap((message) =>
    message.role === 'user' ? (message.files ?? []).map((file) => ('text' in file ? file.text : '')) : [],
  );

test.each([undefined, 50_000])('with a context of %s tokens files stay whole', async (size) => {
  const files = [textFile('a', 1_000), textFile('b', 10)];
  expect(await fit(size, files)).toEqual({ messages: asking(...files), degraded: [] });
});

test('the longest are cut until the prompt fits, and the caller is told by how much', async () => {
  const files = [textFile('long', 20_000), textFile('short', 20), textFile('longer', 30_000)];
  const { messages, degraded } = await fit(4_000, files);
  const [long = '', short, longer = ''] = textsOf(messages);
  expect(estimate({ model: 'm', messages })).toBeLessThanOrEqual(3_900);
  expect(short).toBe(files[1]?.text);
  expect(long.length).toBe(longer.length);
  // No more is cut than has to be.
  expect(estimate({ model: 'm', messages })).toBeGreaterThan(2_500);
  expect(degraded).toEqual([
    {
      service: 'llm',
      reason: 'The model "m" reads 4000 tokens',
      consequence: `cut in its prompt: long (after ${long.length} of 100000 characters), longer (after ${longer.length} of 150000 characters)`,
    },
  ]);
  const kept = await fit(4_000, files, 1_000);
  expect(estimate({ model: 'm', messages: kept.messages })).toBeLessThanOrEqual(2_900);
});

test('an image counts a fixed number of tokens, and says nothing of what texts count', () => {
  const image = { name: 'a.png', type: 'image/png', size: 900_000, data: 'A'.repeat(1_200_000) };
  const { estimate: own, learn } = createPromptEstimates('local');
  const withImage = { model: 'm', messages: asking(image) };
  const without = own({ model: 'm', messages: asking() });
  const difference = own(withImage) - without;
  expect(difference).toBeGreaterThanOrEqual(TOKENS_AN_IMAGE);
  expect(difference).toBeLessThan(TOKENS_AN_IMAGE * 1.3);
  learn(withImage, 90_000);
  expect(own({ model: 'm', messages: asking() })).toBe(without);
});
