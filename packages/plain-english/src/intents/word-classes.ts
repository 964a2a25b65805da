import WORD_CLASSES from '../text/lexicon/word-classes.json';
import { wordsTagged } from '../text/lexicon/words';

/**
 * Groups of words that play the same part in a request. A sentence about a violin lesson is then read as one
 * about any appointment, which is what lets a model of a few thousand sentences understand others.
 */
export type WordClass = keyof typeof WORD_CLASSES;

/** Words that carry the grammar of a request; they stand for themselves in the patterns of classes. */
export const FUNCTION_WORDS = wordsTagged('function-words');

const CLASS_OF = new Map<string, WordClass>();
for (const [name, words] of Object.entries(WORD_CLASSES) as [WordClass, string][]) {
  // The first class that lists a word has it, so the order above says which part is the stronger one.
  for (const word of words.split(' ')) if (!CLASS_OF.has(word)) CLASS_OF.set(word, name);
}

/** The class of a word in any regular form, or undefined: the forms that the trained model counts with. Pure. */
export function classOf(word: string): WordClass | undefined {
  const exact = CLASS_OF.get(word);
  if (exact !== undefined || word.length < 4) return exact;
  if (word.endsWith('ies')) return CLASS_OF.get(`${word.slice(0, -3)}y`);
  if (word.endsWith('ing')) return CLASS_OF.get(word.slice(0, -3)) ?? CLASS_OF.get(`${word.slice(0, -3)}e`);
  if (word.endsWith('ed')) return CLASS_OF.get(word.slice(0, -2)) ?? CLASS_OF.get(word.slice(0, -1));
  if (word.endsWith('es')) return CLASS_OF.get(word.slice(0, -1)) ?? CLASS_OF.get(word.slice(0, -2));
  return word.endsWith('s') ? CLASS_OF.get(word.slice(0, -1)) : undefined;
}
