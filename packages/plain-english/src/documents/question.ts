import { wordsOf } from '../text/stem';
import { setOf, wordsTagged } from '../text/lexicon/words';
import { lowerAt, type Token } from '../text/token';

/** One of several items, from 0; negative counts from the end. */
export type Selector = number | 'all';

/** A part of a question: the words that name a field, and which of several is meant. */
export interface Part {
  readonly words: readonly string[];
  readonly select?: Selector;
  /** The words with the one that selects, as a field may be called `first name`. */
  readonly written: readonly string[];
}

/** What is asked of a document. */
export type Question =
  | { readonly kind: 'paths'; readonly paths: readonly string[] }
  /** From the field that is wanted to what it is a field of. `count`: how many there are of it. */
  | { readonly kind: 'parts'; readonly parts: readonly Part[]; readonly count: boolean };

const VERBS = wordsTagged('document-verbs');
/** After these a name of a field may stand without an article. */
const PLAIN_VERBS = setOf('read extract return count');
const TO_ASKER = setOf('tell give show');
const BETWEEN = setOf('of in from for at within inside on');
const SKIPPED = wordsTagged('document-light');
const GENERIC = wordsTagged('items');
const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');
/** No name of a field, and a sign that something else is asked. */
const OTHER = wordsTagged('not-fields');
const MAX_WORDS = 4;

/** Reads what a clause asks of a document; undefined if it asks for something else. @param tokens without the document */
export function readQuestion(tokens: readonly Token[]): Question | undefined {
  const paths = tokens.filter(({ kind }) => kind === 'jsonpath' || kind === 'dotted');
  const others = tokens.filter((token) => !paths.includes(token));
  const count = asksCount(others);
  if (paths.length > 0) {
    const isPlain =
      !count &&
      others.every(({ kind, lower }) => kind === 'symbol' || SKIPPED.has(lower) || BETWEEN.has(lower));
    return isPlain ? { kind: 'paths', paths: paths.map(pathOf) } : undefined;
  }
  const parts = readParts(others, count);
  return parts && (parts.length > 0 || count) ? { kind: 'parts', parts, count } : undefined;
}

/** True for a clause that begins as a question to a document does; a clause of its own has to. */
export function beginsQuestion(tokens: readonly Token[]): boolean {
  const at = tokens.findIndex(
    ({ lower }) => !/^(?:please|can|could|would|you|then|and|also|just|to)$/.test(lower),
  );
  const [first, next] = [lowerAt(tokens, at), lowerAt(tokens, at + 1)];
  if (tokens.some(({ kind }) => kind === 'jsonpath')) return true;
  if (tokens.some(({ kind }) => kind === 'dotted') && VERBS.has(first)) return true;
  if (PLAIN_VERBS.has(first) || (first === 'how' && next === 'many')) return true;
  const names = TO_ASKER.has(first) && /^(?:me|us)$/.test(next) ? at + 2 : at + 1;
  return VERBS.has(first) && /^(?:the|its|all|every|each|is|are|'s)$/.test(lowerAt(tokens, names));
}

function asksCount(tokens: readonly Token[]): boolean {
  return tokens.some(
    ({ lower }, at) =>
      (lower === 'count' && (lowerAt(tokens, at - 1) !== 'the' || lowerAt(tokens, at + 1) === 'of')) ||
      (/^(?:how|number)$/.test(lower) && /^(?:many|of)$/.test(lowerAt(tokens, at + 1))),
  );
}

/** A path that only lacks its `$` gets it. */
function pathOf({ kind, text }: Token): string {
  return kind === 'jsonpath' ? text : `$.${text.replace(/^\./, '')}`;
}

interface Draft {
  words: string[];
  written: string[];
  select?: Selector;
}

/** The parts between `of`, `in` and the like; `the user's name` is `the name of the user`. */
function readParts(tokens: readonly Token[], isCount: boolean): readonly Part[] | undefined {
  const parts: Draft[] = [];
  let part: Draft = { words: [], written: [] };
  const finish = (): void => {
    if (part.words.length > 0 || part.select !== undefined) parts.push(part);
    part = { words: [], written: [] };
  };
  for (const [at, token] of tokens.entries()) {
    const { lower, kind, value } = token;
    const select = selectorOf(tokens, at);
    if (kind === 'word' && !SKIPPED.has(lower) && !BETWEEN.has(lower))
      part.written.push(...wordsOf(token.text));
    if (select !== undefined) part.select = select;
    else if (lower === "'s" && part.words.length > 0) {
      // The owner stands first: it goes after what comes next.
      const owner = part;
      part = { words: [], written: [] };
      const rest = readParts(tokens.slice(at + 1), isCount);
      return rest && [...rest, owner, ...parts];
    } else if (BETWEEN.has(lower)) finish();
    else if (isCount && (lower === 'count' || (lower === 'number' && lowerAt(tokens, at + 1) === 'of')))
      continue;
    else if (kind === 'symbol' || lower === "'s" || SKIPPED.has(lower) || isUsedNumber(tokens, at)) continue;
    else if (kind === 'quoted') part.words.push(...wordsOf(String(value)));
    else if (kind !== 'word' || OTHER.has(lower)) return undefined;
    else if (GENERIC.has(lower) && part.select !== undefined) continue;
    else part.words.push(...wordsOf(token.text));
    if (part.words.length > MAX_WORDS) return undefined;
  }
  finish();
  return parts;
}

function selectorOf(tokens: readonly Token[], at: number): Selector | undefined {
  const { lower = '', kind = 'word', value } = tokens[at] ?? {};
  if (lower === 'last') return -1;
  if (/^(?:all|every|each)$/.test(lower)) return 'all';
  if (ORDINALS.includes(lower)) return ORDINALS.indexOf(lower);
  if (kind === 'ordinal') return Number(value) - 1;
  const number = tokens[at + 1];
  const isNumbered = GENERIC.has(lower) || lower === 'number';
  return isNumbered && number?.kind === 'number' ? Number(number.value) - 1 : undefined;
}

/** The number of `item 3`, which the word before it has read. */
function isUsedNumber(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.kind === 'number' && at > 0 && selectorOf(tokens, at - 1) !== undefined;
}
