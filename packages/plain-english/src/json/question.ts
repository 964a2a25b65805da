import { ARTICLES, POLITENESS, STOP_WORDS } from '../text/stop-words';
import type { Token } from '../text/token';
import { keyWords } from './key-words';

/** Longest question looked into, words. */
export const MAX_WORDS = 300;

/** One word of a question about a document. */
export interface Word {
  readonly text: string;
  /** Number of its token. */
  readonly token: number;
  /** True for a word that can name something by itself. */
  readonly names: boolean;
  readonly capital: boolean;
  /** True where a mark or a document stands before it. */
  readonly starts: boolean;
}

/** Kinds of tokens that are documents, or say where one is. */
const OPAQUE = new Set(['json', 'url', 'domain', 'email', 'file', 'jsonpath']);

/** The words of a sentence around its documents. */
export function wordsOfQuestion(tokens: readonly Token[]): Word[] {
  return tokens
    .flatMap((token, at) => {
      if (OPAQUE.has(token.kind) || token.kind === 'symbol') return [];
      if (token.lower === "'s")
        return [{ text: "'s", token: at, names: false, capital: false, starts: false }];
      const written = token.kind === 'quoted' ? String(token.value) : token.text;
      const parts = keyWords(written);
      const names = token.kind === 'quoted' || parts.length > 1 || canName(tokens, at);
      const capital = /^\p{Lu}/u.test(written) && at > 0;
      const before = tokens[at - 1];
      const starts =
        before === undefined || OPAQUE.has(before.kind) || (before.kind === 'symbol' && before.text !== '-');
      return parts.map((text, part) => ({ text, token: at, names, capital, starts: starts && part === 0 }));
    })
    .slice(0, MAX_WORDS);
}

/** What comes before a name, also before one of a common word. */
const NAMING = new Set("the 's what which under field is are not been".split(' '));

/** A word of no subject matter names something only after an article or as an owner: `the time`, `today's high`. */
function canName(tokens: readonly Token[], at: number): boolean {
  const lower = tokens[at]?.lower ?? '';
  if (!STOP_WORDS.has(lower) && !POLITENESS.has(lower)) return true;
  if (lower === 'id') return !/^(?:like|love|want|need|prefer)$/.test(tokens[at + 1]?.lower ?? '');
  if (lower.length < 3 || ARTICLES.has(lower)) return false;
  const before = tokens[at - 1]?.lower ?? '';
  // `departure time`
  const isCompound =
    lower.length > 3 && tokens[at - 1]?.kind === 'word' && !STOP_WORDS.has(before) && !POLITENESS.has(before);
  return isCompound || tokens[at + 1]?.lower === "'s" || NAMING.has(before);
}

const NTH = 'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ');
const LAST = new Set(['last', 'final', 'bottom', 'hindmost']);

/** The place in a list that a word says, from 0, or, below 0, from the end. */
export function ordinalOf(word: { readonly text: string } | undefined): number | undefined {
  if (word === undefined) return undefined;
  const lower = word.text.toLowerCase();
  const digits = /^(\d{1,4})(?:st|nd|rd|th)$/.exec(lower)?.[1];
  if (digits !== undefined) return Number(digits) - 1;
  if (LAST.has(lower)) return -1;
  if (lower === 'penultimate') return -2;
  const nth = NTH.indexOf(lower);
  return nth === -1 ? undefined : nth;
}

const NO_SUPERLATIVES =
  /^(?:guest|quest|request|conquest|interest|forest|harvest|honest|modest|contest|protest|invest|suggest|digest|manifest|arrest|tempest|priest)$/;

/** `cheapest`, `most` */
export function isSuperlative(word: string): boolean {
  return (
    /^(?:most|least)$/.test(word) || (word.length > 5 && word.endsWith('est') && !NO_SUPERLATIVES.test(word))
  );
}
