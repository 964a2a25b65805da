import type { Token } from '../text/token';
import { ARTICLES, POLITENESS } from '../text/stop-words';

/** One step of a path in words, `the second colour`: its name, and which of several. */
export interface PathSegment {
  readonly words: readonly string[];
  /** Place in an array from 0, -1 for the last, `all` for every one. */
  readonly index?: number | 'all';
}

const OF = new Set(['of', 'in', 'from', 'inside', 'under', 'within', 'at', 'out']);
const NTH = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');
const FILLER = new Set(
  (
    'given get give me tell show us what which is are was were does the find read extract pull out return print take fetch ' +
    "look up see only just value values field property key attribute parse grab pick report say out back whats what's " +
    'called named using use json path query lookup select display output i we you need want like would to have know and ' +
    "then its it's it also can could contain contains there then entry's stored saved under be please there's do number"
  ).split(' '),
);
/** Words for the whole document rather than a part of it. */
const CONTAINERS = new Set(
  'json response data document object result payload body text reply answer output content contents file page server it this that them here following string'.split(
    ' ',
  ),
);

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
  for (const [at, token] of tokens.entries()) {
    if (token.lower === "'s" || token.lower === "'") finish();
    else if (token.kind === 'symbol') {
      if (words.length > 0) break;
    } else {
      isQuoted ||= token.kind === 'quoted';
      const place = placeOf(token, tokens[at + 1]);
      if (place !== undefined) index = place;
      // What is in quotes is the key as it is: `the first element of the "scores" array`.
      else if (token.kind === 'quoted') words = [keyText(token)];
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

function placeOf(token: Token, next: Token | undefined): number | 'all' | undefined {
  if (token.kind === 'ordinal' && typeof token.value === 'number') return token.value - 1;
  // `first name` is a name of its own.
  if (next?.lower === 'name' && (token.lower === 'first' || token.lower === 'last')) return undefined;
  if (token.lower === 'last') return -1;
  if (token.lower === 'all' || token.lower === 'every' || token.lower === 'each') return 'all';
  const nth = NTH.indexOf(token.lower);
  return nth === -1 ? undefined : nth;
}
