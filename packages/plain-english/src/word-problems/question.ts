import { matchQuantity } from '../text/quantity';
import type { Token } from '../text/token';
import { ADVERBS, unitOf } from './units';

/** What a story asks. */
export interface Question {
  readonly text: string;
  /** The thing of which one is asked about, as in `how much does each kid get`; `each` where it is not named. */
  readonly each?: string;
  /** What is counted: `how many bottles`. */
  readonly counted?: string;
}

const ASKS =
  /\b(?:how (?:many|much|far|long|old|often|fast|big|large)|what(?:'s| remains| is|s| does| do| did| was| will| would| are|'ll| percentage| percent| fraction| change| total)|which percentage|calculate|compute|work out|figure out|tell me|find|in total|altogether)\b/g;
const ENDS = new Set(['.', '?', '!', ';']);
const CONDITION = new Set(['if', 'when', 'given']);

/** The question of a story: from its last question word to the end, the condition or the first number after it. */
export function questionOf(tokens: readonly Token[]): Question | undefined {
  const starts: number[] = [];
  const parts: string[] = [];
  let length = 0;
  for (const token of tokens) {
    // The 's of `what's` stays with its word.
    if (parts.length > 0 && token.lower !== "'s") length++;
    starts.push(length);
    parts.push(token.lower);
    length += token.lower.length;
  }
  const text = parts.join(' ').replaceAll(" 's", "'s");
  const last = [...text.matchAll(ASKS)].at(-1)?.index;
  if (last === undefined) return undefined;
  const first = starts.findIndex((start) => start >= last);
  const words: string[] = [];
  for (let at = first; at < tokens.length; at++) {
    const token = tokens[at];
    if (!token) break;
    const isNumber = token.lower !== 'one' && matchQuantity(tokens, at) !== undefined && token.lower !== 'a';
    if (ENDS.has(token.text) || CONDITION.has(token.lower) || isNumber) break;
    words.push(token.lower);
  }
  return describe(words);
}

function describe(words: readonly string[]): Question {
  const text = words.join(' ').replaceAll(" 's", "'s");
  const each = eachOf(words);
  const counted = /^how many (?:more )?([\p{L}-]+)/u.exec(text)?.[1];
  return {
    text,
    each,
    ...(counted === undefined ? {} : { counted: unitOf(counted) }),
  };
}

function eachOf(words: readonly string[]): string | undefined {
  for (const [index, word] of words.entries()) {
    const next = words[index + 1] ?? '';
    if (Object.hasOwn(ADVERBS, word)) return ADVERBS[word];
    if (word === 'apiece' || word === 'everyone' || word === 'everybody') return 'each';
    if (word === 'each' || word === 'every') return isNoun(next) ? unitOf(next) : 'each';
    if (word === 'per' || word === 'one') return isNoun(next) ? unitOf(next) : undefined;
    if (word === 'a' && index >= 3 && index === words.length - 2) return unitOf(next);
    if (word === 'single' && isNoun(next)) return unitOf(next);
  }
  return undefined;
}

function isNoun(word: string): boolean {
  return (
    /^\p{L}/u.test(word) &&
    !'of get gets pay pays have has receive cost costs owe owes take takes us weigh weighs'
      .split(' ')
      .includes(word)
  );
}
