import { understand } from '../../../../src/llm/builtin';
import { builtinDefinitions } from '../../../../src/tools/builtin/declarations';
import { readSentences, scoreSentences } from '../../../support/sentences';

const file = readSentences('development.json');

test('at least 95 of 100 development sentences are understood as labelled', () => {
  const { right, total, failures } = scoreSentences(file);
  // The failures are the message: which sentences, what was expected and what came.
  if (right / total < 0.95) throw new Error(`${right} of ${total} are right\n${failures.join('\n')}`);
});

test('a sentence is understood within a few milliseconds', () => {
  const tools = [...builtinDefinitions, ...file.tools];
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
