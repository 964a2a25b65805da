import { readSentences, scoreSentences } from './support/sentences';

test('of everyday sentences at least 46 of 53 are understood, and of the others no call is made', () => {
  const { right, failures } = scoreSentences(readSentences('everyday-tools.json'));
  // The failures are the message: which sentences, what was expected and what came.
  if (right < 46 || failures.some((line) => /\n {4}got +\[/.test(line))) throw new Error(failures.join('\n'));
});
