import { readSentences, scoreSentences } from './support/sentences';

test.each([
  ['development.json', 0.95],
  ['second.json', 0.92],
  ['third-arithmetic.json', 0.92],
])('of %s at least %d of the sentences are understood as labelled', (name, least) => {
  const { right, total, failures } = scoreSentences(readSentences(name));
  // The failures are the message: which sentences, what was expected and what came.
  if (right / total < least) throw new Error(`${right} of ${total} are right\n${failures.join('\n')}`);
});
