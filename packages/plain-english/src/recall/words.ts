import { stem } from '../text/stem';
import { baseForm, singular } from '../text/base-forms';
import synonyms from '../text/lexicon/synonyms.json';

/** Words that mean the same in what people tell of themselves, by each of them the first. */
const CONCEPTS = new Map<string, string>();
for (const words of synonyms.map((group) => group.split(' '))) {
  for (const word of words) CONCEPTS.set(word, words[0] ?? word);
}

/** What a word stands for: the same for forms of one word, and for words that mean the same. */
export function conceptOf(word: string): string {
  const direct = CONCEPTS.get(word) ?? CONCEPTS.get(singular(word));
  if (direct !== undefined) return direct;
  const base = baseForm(word);
  return stem(CONCEPTS.get(base) ?? singular(base));
}
