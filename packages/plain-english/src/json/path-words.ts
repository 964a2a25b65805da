import type { Token } from '../text/token';
import { ARTICLES, POLITENESS } from '../text/stop-words';
import { wordsTagged } from '../text/lexicon/words';

/** One step of a path in words, `the second colour`: its name, and which of several. */
export interface PathSegment {
  readonly words: readonly string[];
  /** Place in an array from 0, -1 for the last, `all` for every one. */
  readonly index?: number | 'all';
}

const OF = new Set(['of', 'in', 'from', 'inside', 'under', 'within', 'at', 'out']);
const FILLER = wordsTagged('filler');
/** Words for the whole document rather than a part of it. */
const CONTAINERS = wordsTagged('containers');

/** Splits a phrase such as `the name of the first user` into its steps, outermost first. */
export function readPathWords(tokens: readonly Token[]): PathSegment[] {
  const groups: Token[][] = [[]];
  for (const token of tokens) {
    if (token.kind === 'word' && OF.has(token.lower)) groups.push([]);
    else groups.at(-1)?.push(token);
  }
  return groups.reverse().flatMap((group) => readGroup(group));
}

/** `the user's name` is two steps, the owner first. */
function readGroup(tokens: readonly Token[]): PathSegment[] {
  const segments: PathSegment[] = [];
  let words: string[] = [];
  let index: number | 'all' | undefined;
  let isQuoted = false;
  const finish = (): void => {
    const named = words.filter(
      (word) => !CONTAINERS.has(word) || (words.length > 1 && word !== words.at(-1)),
    );
    if (named.length > 0 || index !== undefined) segments.push(segmentOf(named, index));
    words = [];
    index = undefined;
    isQuoted = false;
  };
  for (const token of tokens) {
    if (token.kind === 'symbol') {
      if (words.length > 0) break;
    } else {
      isQuoted ||= token.kind === 'quoted';
      if (token.kind === 'quoted') words = [keyText(token)];
      else if (!isQuoted && !isFiller(token)) words.push(token.lower.replaceAll('_', ' '));
    }
  }
  finish();
  return segments;
}

function segmentOf(words: readonly string[], index: number | 'all' | undefined): PathSegment {
  const single = words.flatMap((word) => word.split(/[\s-]+/));
  return { words: single, index };
}

function keyText({ value }: Token): string {
  return String(value).toLowerCase().replaceAll('_', ' ');
}

function isFiller({ lower, kind }: Token): boolean {
  if (kind !== 'word' && kind !== 'number') return true;
  return FILLER.has(lower) || ARTICLES.has(lower) || POLITENESS.has(lower);
}
