import type { Recalled } from '../../../src/contracts/http/conversations';
import { contextText } from '../../../src/conversation/context-text';
import { fitContext } from '../../../src/conversation/fit-context';
import { createPromptEstimates } from '../../../src/llm/prompt-estimates';

const { estimate } = createPromptEstimates('local');
const CHOICE = { model: 'm', maxTokens: 100 };
const QUERY = { role: 'user' as const, content: 'What did I say?' };
const time = (number: number): string => `2026-01-02T03:${10 + number}:00.000Z`;
const WORDS = ['amber', 'basil', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'heron', 'ivory', 'jetty'];
/** Sentences of about 30 tokens that have no word in common. */
const saying = (kind: string, number: number): string =>
  Array.from({ length: 20 }, (_, at) => `${kind}${WORDS[number]}${WORDS[at % 10]}`).join(' ');

const RECALLED = {
  episodic: Array.from({ length: 5 }, (_, number) => ({
    id: `e${number}`,
    content: saying('e', number),
    timestamp: time(number),
    metadata: { source: 'user' },
    relevanceScore: 0.9 - number / 10,
  })),
  semantic: [],
  recent: Array.from({ length: 5 }, (_, number) => ({
    id: `r${number}`,
    role: 'user',
    content: saying('r', number),
    timestamp: time(20 + number),
  })),
} as unknown as Pick<Recalled, 'episodic' | 'semantic' | 'recent'>;

const fit = (size: number | undefined) =>
  fitContext(
    { estimatePrompt: estimate, contextTokens: () => Promise.resolve(size) },
    CHOICE,
    RECALLED,
    (text) => [{ role: 'user', content: text }, QUERY],
  );

test.each([undefined, 100_000])('with a context of %s tokens nothing is left out', async (size) => {
  expect(await fit(size)).toEqual({ ...contextText(RECALLED), degraded: [] });
});

test('memories are left out before messages of the session, and the oldest of these first', async () => {
  const ids = new Map<number, readonly string[]>();
  for (const size of [1_600, 1_200, 900, 700, 500, 300]) {
    const { text, included, degraded } = await fit(size);
    const messages = [{ role: 'user' as const, content: text }, QUERY];
    expect(estimate({ model: 'm', messages })).toBeLessThanOrEqual(size - 75);
    ids.set(size, included);
    const left = 10 - included.length;
    const counts = degraded.flatMap(({ consequence }) => consequence.match(/\d+/g) ?? []).map(Number);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(left);
  }
  const sets = [...ids.values()];
  expect(sets.map(({ length }) => length)).toEqual(sets.map(({ length }) => length).sort((a, b) => b - a));
  for (const included of sets) {
    const recent = included.filter((id) => id.startsWith('r'));
    // A memory stays only if all messages of the session do.
    if (included.some((id) => id.startsWith('e'))) expect(recent).toHaveLength(5);
    expect(recent).toEqual(['r0', 'r1', 'r2', 'r3', 'r4'].slice(5 - recent.length));
  }
  expect(ids.get(300)?.length).toBeLessThan(3);
});

test('what is left out is said with the size that the model has', async () => {
  const { degraded } = await fit(500);
  expect(degraded).toEqual([
    {
      service: 'llm',
      reason: 'The model "m" reads 500 tokens',
      consequence: expect.stringMatching(
        /^left out of its prompt: 5 memories and \d messages of the session$/,
      ),
    },
  ]);
});
