import { stem } from '../text/stem';
import { baseForm, singular } from '../text/base-forms';
import type { Token } from '../text/token';
import contractions from '../text/lexicon/contractions.json';
import synonyms from '../text/lexicon/synonyms.json';
import { wordsTagged } from '../text/lexicon/words';

export { baseForm } from '../text/base-forms';
export { hasWord, lowerAt, plainText } from '../text/token';

/** A word of a sentence with its contractions written out: `don't` is two, do and not. */
export interface Word {
  readonly lower: string;
  readonly token: Token;
}

const WHOLE = new Map(Object.entries(contractions));
const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/^(.+)n't$/, 'not'],
  [/^(.+)'m$/, 'am'],
  [/^(.+)'re$/, 'are'],
  [/^(.+)'ve$/, 'have'],
  [/^(.+)'ll$/, 'will'],
  [/^(.+)'d$/, 'would'],
];
/** Words after which `'s` is `is`. */
const BEFORE_IS = wordsTagged('before-is');

export function toWords(tokens: readonly Token[]): Word[] {
  const words = tokens.flatMap((token, at) =>
    spellings(token, tokens[at - 1]).map((lower) => ({ lower, token })),
  );
  return words.map((word, at) =>
    word.lower === 'name' && ['last', 'family'].includes(words[at - 1]?.lower ?? '')
      ? { ...word, lower: 'surname' }
      : word,
  );
}

function spellings({ kind, lower }: Token, before: Token | undefined): readonly string[] {
  if (kind !== 'word') return [lower];
  if (lower === "'s") return [BEFORE_IS.has(before?.lower ?? '') ? 'is' : lower];
  const whole = WHOLE.get(lower);
  if (whole !== undefined) return whole.split(' ');
  for (const [pattern, ending] of ENDINGS) {
    const base = pattern.exec(lower)?.[1];
    if (base !== undefined) return [base, ending];
  }
  return [lower];
}

/** Words that mean the same in what people tell of themselves, the first for all of them. */
export const SAME = synonyms.map((group) => group.split(' '));
const CONCEPTS = new Map<string, string>();
for (const words of SAME) {
  for (const word of words) CONCEPTS.set(word, words[0] ?? word);
}

/** What a word stands for: the same for forms of one word, and for words that mean the same. */
export function conceptOf(word: string): string {
  const direct = CONCEPTS.get(word) ?? CONCEPTS.get(singular(word));
  if (direct !== undefined) return direct;
  const base = baseForm(word);
  return stem(CONCEPTS.get(base) ?? singular(base));
}

/** Words that carry nothing that a statement has to have. */
export const LIGHT = wordsTagged('light');

/** The concepts of words that carry something. */
export function termsOf(words: readonly string[]): string[] {
  return words.filter((word) => !LIGHT.has(word) && /[\p{L}\p{N}€$£]/u.test(word)).map(conceptOf);
}
