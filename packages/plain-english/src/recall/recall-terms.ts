import { examplesOf } from './kinds';
import { readAsked } from './asking';
import { wordsOfSituation } from './meanings';
import { LIGHT, toWords } from './words';
import { sentencesOf } from '../text/sentences';

/** Most words to look for besides those of the query. */
const MAX_TERMS = 24;

const REPORTED = new Set('told gave mentioned said named noted'.split(' '));
/** The maximum number of words that name it before `I gave you`. */
const REPORTED_WORDS = 5;

/**
 * Words to search memory for besides the query: `drink` finds tea, `my job` finds `I work as`; and those of `the cups of
 * coffee I mentioned`, each by itself, as the query is on something else as well. At most 24.
 */
export function recallTerms(query: string): readonly string[] {
  const words = toWords(sentencesOf(query.slice(0, 1_000)).flat()).map(({ lower }) => lower);
  const question = readAsked(query);
  const found = [
    ...words.flatMap(wordsOfSituation),
    ...(question?.kind === undefined ? [] : examplesOf(question.kind)),
    ...words.filter((word) => !LIGHT.has(word)).flatMap(examplesOf),
  ];
  const others = found.filter((word) => !words.includes(word));
  return [...new Set([...reportedWords(words), ...others])].slice(0, MAX_TERMS);
}

function reportedWords(words: readonly string[]): string[] {
  const at = words.findIndex((word, index) => word === 'i' && REPORTED.has(words[index + 1] ?? ''));
  return at < 0 ? [] : words.slice(Math.max(0, at - REPORTED_WORDS), at).filter((word) => !LIGHT.has(word));
}
