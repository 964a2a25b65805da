import { spend } from '../allowance';
import { classifyRun } from './address';
import { JsonFinder } from './balanced';
import { findNumberCodeEnd } from './number-code';
import { findPhoneEnd } from './phone-number';
import { findQuoted } from './quotes';
import { findJsonPath } from './json-path-text';
import { matchNumeral } from './numerals';
import type { Token, TokenKind, TokenText } from './token';

const SPACE = /\s+/y;
const RUN = /[^\s"<>“”«»`]{1,4000}/y;
const WORD = /[\p{L}\p{M}_][\p{L}\p{M}\p{N}_]*(?:['’\-–][\p{L}\p{M}\p{N}_]+)*/uy;
/** `C++`, `C#`, and the grade `A+`. */
const SIGNED_LETTER = /\p{Lu}(?:\+\+?|#)(?![\p{L}\p{N}+#(])/uy;
const POSSESSIVE = /^(.*)['’](s|S)$/su;
const TITLE = /^(?:dr|mr|mrs|ms|prof)$/i;
const AFTER_TITLE = /^\.\s{0,2}\p{L}/u;
/** `aisle 7 -> aisle 22` */
const ARROW = /-{1,8}>|[→➔]/uy;
const DEGREES = /°\s?[CF](?![\p{L}\p{N}])/uy;
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

function* scan(source: string): Generator<Token> {
  const jsonFinder = new JsonFinder(source);
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
    const token: Token = opaque(source, at, jsonFinder, runStart) ?? plain(source, at);
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
function opaque(source: string, at: number, finder: JsonFinder, runStart: boolean): Token | undefined {
  const character = source.charAt(at);
  if (character === '{' || character === '[') {
    const json = finder.at(at);
    if (json) return make('json', source, at, json.end, json.value);
  }
  if (runStart) {
    const quoted = findQuoted(source, at);
    if (quoted) return make('quoted', source, at, quoted.end, quoted.inner);
  }
  if (character === '$') {
    const end = findJsonPath(source, at);
    if (end !== undefined) return make('jsonpath', source, at, end);
  }
  const run = runStart ? match(RUN, source, at) : '';
  spend(RUN_COST * run.length);
  const phoneEnd = run === '' ? undefined : findPhoneEnd(source, at, run);
  if (phoneEnd !== undefined) return make('phone', source, at, phoneEnd);
  const codeEnd = /^\d/.test(run) ? findNumberCodeEnd(source, at) : undefined;
  if (codeEnd !== undefined && matchNumeral(source, at)?.kind === 'number')
    return make('word', source, at, codeEnd);
  const found = run === '' ? undefined : classifyRun(run);
  return found && make(found.kind, source, at, at + found.length, found.value);
}

function plain(source: string, at: number): Token {
  const numeral = matchNumeral(source, at);
  if (numeral) return make(numeral.kind, source, at, numeral.end, numeral.value);
  const word = isCross(source, at) ? '' : match(SIGNED_LETTER, source, at) || match(WORD, source, at);
  if (word !== '') return withFullStop(make('word', source, at, at + word.length), source);
  const arrow = match(ARROW, source, at);
  if (arrow !== '') return { ...make('word', source, at, at + arrow.length), lower: 'to' };
  const degrees = match(DEGREES, source, at);
  if (degrees !== '') return make('word', source, at, at + degrees.length);
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
