import { stem } from '../../base/text/stem';
import { isTopical } from '../../embeddings/lexical/everyday-words';

/** A word in the form that is compared, and as it was written. */
export interface TopicWord {
  readonly stem: string;
  readonly written: string;
  /** Whether the word begins a sentence, so that its capital may be due to its place alone. */
  readonly isFirst: boolean;
}

/** Maximum length of the beginning of a text that is read, characters: it mostly contains the subject. */
const MAX_CHARACTERS = 500;
const MAX_WORD = 40;
/** The parts around an `@` have none, so that a text of many takes no time. */
const ADDRESS = /\b(?:https?:\/\/|www\.)\S+|[^\s@]+@[^\s@]+\.\S+/giu;
const WORD = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*/gu;
const POSSESSIVE = /['’]s?$/iu;
const APOSTROPHE = /['’]/gu;
const SPACE_ALONE = /^\s+$/u;
const SENTENCE_END = /[.!?:\n]/u;
const SHORT_NAME = /^[\p{Lu}\p{N}]{2}$/u;

/**
 * Finds runs of neighbouring words that can be part of a topic. Anything except spaces between two words ends a run.
 * Pure.
 */
export function findTopicRuns(text: string): TopicWord[][] {
  const runs: TopicWord[][] = [];
  let run: TopicWord[] = [];
  let end = 0;
  const readable = text.slice(0, MAX_CHARACTERS).replace(ADDRESS, ' . ');
  for (const match of readable.matchAll(WORD)) {
    const between = readable.slice(end, match.index);
    const isFirst = end === 0 || SENTENCE_END.test(between);
    if (end > 0 && between !== ' ' && !SPACE_ALONE.test(between)) run = [];
    end = match.index + match[0].length;
    const written = match[0].replace(POSSESSIVE, '');
    const word = written.toLowerCase().replace(APOSTROPHE, '');
    if (!isTopicWord(written, word)) {
      run = [];
      continue;
    }
    if (run.length === 0) runs.push(run);
    run.push({ stem: toTopicStem(word), written, isFirst });
  }
  return runs;
}

/** Builds the key of a short text that was chosen as a name (a tag, a category, a concept) from all its words. Pure. */
export function nameKey(name: string): string {
  const words = name.toLowerCase().match(WORD) ?? [];
  return words.length === 0 ? name : words.map((word) => toTopicStem(word.replace(APOSTROPHE, ''))).join(' ');
}

/** Drops a final doubled letter, so that `skill` and `skills` match: only one of their stems has lost it. */
function toTopicStem(word: string): string {
  return stem(word).replace(/(\p{L})\1$/u, '$1');
}

function isTopicWord(written: string, word: string): boolean {
  if (written.length > MAX_WORD) return false;
  // A short word counts only as a name (AI, UK).
  if (word.length < 3) return SHORT_NAME.test(written) && !/^\p{N}+$/u.test(written);
  return isTopical(word);
}
