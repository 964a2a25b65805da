import { understand } from '../src';
import { KNOWN_TOOLS } from '../src/known-tools';
import { readSentences, scoreSentences } from './support/sentences';

const file = readSentences('development.json');

test.each([
  ['development.json', 0.95],
  ['second.json', 0.95],
  ['third-arithmetic.json', 0.95],
])('of %s at least %d of the sentences are understood as labelled', (name, least) => {
  const { right, total, failures } = scoreSentences(readSentences(name));
  // The failures are the message: which sentences, what was expected and what came.
  if (right / total < least) throw new Error(`${right} of ${total} are right\n${failures.join('\n')}`);
});

test('a sentence is understood within a few milliseconds', () => {
  const tools = [...KNOWN_TOOLS, ...file.tools];
  const times = file.sentences.map(({ query }) => {
    const start = performance.now();
    try {
      understand(query, tools);
    } catch {
      // What is not understood counts too.
    }
    return performance.now() - start;
  });
  times.sort((a, b) => a - b);
  expect(times[Math.floor(times.length / 2)]!).toBeLessThan(20);
});
