import { readSentences, scoreSentences } from './support/sentences';

test('at least 92 of 100 sentences for the registered tools of other trades are understood as labelled', () => {
  const { right, total, failures } = scoreSentences(readSentences('third-tools.json'));
  // The failures are the message: which sentences, what was expected and what came.
  if (right / total < 0.92) throw new Error(`${right} of ${total} are right\n${failures.join('\n')}`);
});

test('of the held-out sentences, on which nothing is tuned, at least 3 of 4 are understood as labelled', () => {
  const { right, total } = scoreSentences(readSentences('held-out.json'));
  expect(right / total).toBeGreaterThanOrEqual(0.75);
});
