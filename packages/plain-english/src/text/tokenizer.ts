import { spend } from '../allowance';
import { classifyRun, findCode } from './address';
import { findJson, findJsonPath } from './json-text';
import type { Token, TokenKind, TokenText } from './token';

const SPACE = /\s+/y;
const RUN = /[^\s"<>“”«»`]{1,4000}/y;
const WORD = /[\p{L}\p{M}_][\p{L}\p{M}\p{N}_]*(?:['’\-–][\p{L}\p{M}\p{N}_]+)*/uy;
/** `C++`, `C#`, the grade `A+`, and degrees in `°C`. */
const SIGNED_LETTER = /\p{Lu}(?:\+\+?|#)(?![\p{L}\p{N}+#(])|°\s?[CF](?![\p{L}\p{N}])/uy;
const POSSESSIVE = /^(.*)['’](s|S)$/su;
const TITLE = /^(?:dr|mr|mrs|ms|prof)$/i;
const AFTER_TITLE = /^\.\s{0,2}\p{L}/u;
/** `aisle 7 -> aisle 22` */
const ARROW = /-{1,8}>|[→➔]/uy;
const OPENING = new Set(['(', '[', '{', '<', ',', ';', ':', '=']);

/** The maximum number of punctuation marks after which an address may start; in a text with more, an address starts only after a space. */
const MAX_OPENINGS = 200;

/** Work of one character, and of one that is looked at again as a part of an address. */
const CHARACTER_COST = 0.6;
const RUN_COST = 0.01;

/**
 * Cuts a sentence into tokens in one pass. JSON texts, quotations, addresses, paths, dates and times are one token each,
 * so that nothing inside them is mistaken for a word of the sentence.
 */
export function tokenize(source: string): TokenText {
  spend(CHARACTER_COST * source.length);
  return { source, tokens: [...scan(source)] };
}

/** The JSON objects and arrays that are written out in a text, in their order. */
export function findJsonValues(text: string): readonly unknown[] {
  return tokenize(text)
    .tokens.filter(({ kind }) => kind === 'json')
    .map(({ value }) => value);
}

function* scan(source: string): Generator<Token> {
  let runStart = true;
  let openings = 0;
  let at = 0;
  while (at < source.length) {
    const space = match(SPACE, source, at);
    if (space !== '') {
      at += space.length;
      runStart = true;
      continue;
    }
    const token: Token = opaque(source, at, runStart) ?? plain(source, at);
    runStart = token.kind === 'quoted' || (OPENING.has(token.text) && ++openings <= MAX_OPENINGS);
    at = token.end;
    yield* splitPossessive(token);
  }
}

function match(pattern: RegExp, source: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0] ?? '';
}

/** What is kept whole whatever is in it. Addresses are looked for once a run of characters without space. */
function opaque(source: string, at: number, runStart: boolean): Token | undefined {
  const character = source.charAt(at);
  if (character === '{' || character === '[') {
    const json = findJson(source, at);
    if (json) return make('json', source, at, json.end, json.value);
  }
  if (runStart) {
    const quoted = findQuoted(source, at);
    if (quoted) return make(quoted.kind, source, at, quoted.end, quoted.value);
  }
  if (character === '$') {
    const end = findJsonPath(source, at);
    if (end !== undefined) return make('jsonpath', source, at, end);
  }
  const run = runStart ? match(RUN, source, at) : '';
  if (run === '') return undefined;
  spend(RUN_COST * run.length);
  const code = findCode(source, at) ?? classifyRun(run);
  return code && make(code.kind, source, at, at + code.length, code.value);
}

function plain(source: string, at: number): Token {
  const numeral = matchNumeral(source, at);
  if (numeral) return make(numeral.kind, source, at, numeral.end, numeral.value);
  const word = isCross(source, at) ? '' : match(SIGNED_LETTER, source, at) || match(WORD, source, at);
  if (word !== '') return withFullStop(make('word', source, at, at + word.length), source);
  const arrow = match(ARROW, source, at);
  if (arrow !== '') return { ...make('word', source, at, at + arrow.length), lower: 'to' };
  const length = String.fromCodePoint(source.codePointAt(at) ?? 0).length;
  return make('symbol', source, at, at + length);
}

/** The full stop of `Dr. Osei` ends no sentence. */
function withFullStop(token: Token, source: string): Token {
  const isTitle = TITLE.test(token.text) && AFTER_TITLE.test(source.slice(token.end, token.end + 4));
  return isTitle ? { ...token, text: `${token.text}.`, end: token.end + 1 } : token;
}

/** The x of `3x4`. */
function isCross(source: string, at: number): boolean {
  return /x/i.test(source.charAt(at)) && /\d/.test(source.charAt(at - 1)) && /\d/.test(source.charAt(at + 1));
}

function make(kind: TokenKind, source: string, start: number, end: number, value?: unknown): Token {
  const text = source.slice(start, end);
  const lower = text.toLowerCase().replaceAll('’', "'");
  return { kind, text, lower, start, end, value };
}

/** `user's` is `user` and `'s`: the first is a key or a place, the second says that something of it follows. */
function* splitPossessive(token: Token): Generator<Token> {
  const base = token.kind === 'word' ? POSSESSIVE.exec(token.text)?.[1] : undefined;
  if (base === undefined || base === '') {
    yield token;
    return;
  }
  const middle = token.start + base.length;
  yield { ...token, text: base, lower: base.toLowerCase(), end: middle };
  yield { ...token, text: token.text.slice(base.length), lower: "'s", start: middle };
}

const QUOTES = ['""', "''", '``', '“”', '””', '‘’', '«»'];
const CLOSING = new Map(QUOTES.map((pair) => [pair.charAt(0), pair.charAt(1)]));
/** Longest text taken for a quotation; also what bounds the search for a closing mark that is not there. */
const MAX_LENGTH = 8_000;

/** The quotation that starts here. An apostrophe closes one only if no letter follows. */
function findQuoted(source: string, start: number): Found<string> | undefined {
  const closing = CLOSING.get(source.charAt(start));
  if (closing === undefined) return undefined;
  const isApostrophe = (at: number): boolean =>
    /['’]/.test(closing) && /[\p{L}\p{N}]/u.test(source.charAt(at + 1));
  let end = source.indexOf(closing, start + 1);
  while (end > start + 1 && isApostrophe(end)) end = source.indexOf(closing, end + 1);
  if (end <= start + 1 || end - start > MAX_LENGTH) return undefined;
  return { kind: 'quoted', end: end + 1, value: source.slice(start + 1, end) };
}

interface Found<Value> {
  readonly kind: TokenKind;
  readonly end: number;
  readonly value: Value;
}

/** A plain space between groups would join the numbers of a list. */
const NUMBER =
  /(?:\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d{1,3}(?:['’\u00a0\u202f]\d{3})+(?!\d)(?:\.\d+)?|\d+(?:_\d{3})+|\d+(?:\.\d+)?(?:e[+-]?\d{1,3}(?!\d))?|\.\d+)/iy;
const THOUSANDS = /k(?![\p{L}\d])/iuy;
/** What is looked for before plain numbers, in this order. */
const NUMERALS: readonly (readonly [TokenKind, RegExp, valueOf: (text: string) => unknown])[] = [
  [
    'date',
    /\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?(?![\d-])/y,
    String,
  ],
  ['date', /\d{1,2}[/.]\d{1,2}[/.]\d{4}(?!\d)/y, String],
  [
    'time',
    /\d{1,2}:\d{2}(?::\d{2})?(?:\s?(?:am|pm|a\.m\.|p\.m\.))?(?![\p{L}\d])|\d{1,2}\s?(?:am|pm|a\.m\.|p\.m\.)(?![\p{L}\d])/iuy,
    String,
  ],
  ['ordinal', /\d+(?:st|nd|rd|th)(?![\p{L}\d])/iuy, Number.parseInt],
  // Thousands with points and a decimal comma, as in `1.250,50`; either alone is read the English way.
  [
    'number',
    /\d{1,3}(?:\.\d{3})+,\d{1,2}(?![\d,])/y,
    (text) => Number(text.replaceAll('.', '').replace(',', '.')),
  ],
];

/** A number, ordinal, date or time in digits that starts here. */
function matchNumeral(source: string, at: number): Found<unknown> | undefined {
  if (!/[\d.]/.test(source.charAt(at))) return undefined;
  for (const [kind, pattern, valueOf] of NUMERALS) {
    const text = match(pattern, source, at);
    if (text !== '') return { kind, end: at + text.length, value: valueOf(text) };
  }
  const number = match(NUMBER, source, at);
  return number === '' ? undefined : finish(source, at, number);
}

function finish(source: string, at: number, text: string): Found<unknown> {
  const value = Number(text.replace(/[,_'’\u00a0\u202f]/g, ''));
  const end = at + text.length;
  // Digits that no number can hold are a word, read in one go.
  if (!Number.isFinite(value)) return { kind: 'word', end, value: text };
  const isThousands = match(THOUSANDS, source, end) !== '';
  return isThousands
    ? { kind: 'number', end: end + 1, value: value * 1_000 }
    : { kind: 'number', end, value };
}
