import type { Model } from '../../src/facts/answers/rank';
import { answerFromFacts } from '../../src/facts/answers/answer';
import { answerFromMemories } from '../../src/recall/answer';
import { type Example, FOREIGN, has, LIVES, NOW } from './examples';
import { trainAnswers } from './train';

type Verdict = 'right' | 'stale' | 'never' | 'refused';
export type Counts = Record<Verdict, number>;

/** Counts answers to the lives of each author, by weights that were trained without this author. */
export function measureFolds(examples: readonly Example[]): ReadonlyMap<string, Counts> {
  const authors = new Set(examples.map(({ author }) => author).filter((author) => LIVES.test(author)));
  const counts = new Map<string, Counts>();
  for (const author of authors) {
    const model = trainAnswers(examples.filter((one) => one.author !== author));
    counts.set(
      author,
      count(
        examples.filter((one) => one.author === author && one.kind !== FOREIGN),
        model,
      ),
    );
  }
  return counts;
}

export function count(examples: readonly Example[], model: Model): Counts {
  const counts: Counts = { right: 0, stale: 0, never: 0, refused: 0 };
  for (const one of examples) counts[judge(one, model)]++;
  return counts;
}

function judge({ question, messages, right, stale, never }: Example, model: Model): Verdict {
  const answer =
    answerFromFacts(question, [], messages, NOW, model) ?? answerFromMemories(question, messages, NOW);
  const text = answer?.text ?? '';
  if (has(text, stale)) return 'stale';
  if (has(text, never)) return 'never';
  return right.length === 0 || has(text, right) ? 'right' : 'refused';
}
