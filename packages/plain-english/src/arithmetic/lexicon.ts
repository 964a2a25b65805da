import arithmetic from '../text/lexicon/arithmetic.json';
import type { Meaning } from './meaning';

export type { FunctionName, Meaning, QuestionName, UnaryName, Verb } from './meaning';

/** What each phrase of the grammar means, its words one space apart. */
const meanings: ReadonlyMap<string, Meaning> = new Map(
  (arithmetic as readonly { readonly meaning: Meaning; readonly phrases: readonly string[] }[]).flatMap(
    ({ meaning, phrases }) => phrases.map((phrase) => [phrase, meaning] as const),
  ),
);

/** Most words of a phrase. */
export const MAX_PHRASE_WORDS = 5;

const prefixes = new Set<string>();
for (const phrase of meanings.keys()) {
  for (let at = phrase.indexOf(' '); at !== -1; at = phrase.indexOf(' ', at + 1))
    prefixes.add(phrase.slice(0, at));
}

/** True where some phrase goes on after these words. */
export function beginsPhrase(words: string): boolean {
  return prefixes.has(words);
}

/** The meaning of a phrase in lower case, its words one space apart. */
export function meaningOf(phrase: string): Meaning | undefined {
  return meanings.get(phrase);
}

/** Words that only phrases have: `divided by`. */
const PARTICIPLES = 'divided multiplied subtracted deducted increased decreased reduced'.split(' ');

/** Words worth forgiving a slip in: verbs and operations of five letters and more. */
export const correctable: readonly string[] = [...meanings.entries()]
  .filter(
    ([phrase, { type }]) =>
      /^[a-z]{5,}$/.test(phrase) && ['infix', 'verb', 'function', 'unary'].includes(type),
  )
  .map(([phrase]) => phrase)
  .concat(PARTICIPLES);
