import type { TokenKind } from './token';

interface Numeral {
  readonly kind: TokenKind;
  readonly end: number;
  readonly value: unknown;
}

const DATE = /\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?(?![\d-])/y;
const SLASH_DATE = /\d{1,2}[/.]\d{1,2}[/.]\d{4}(?!\d)/y;
const TIME =
  /\d{1,2}:\d{2}(?::\d{2})?(?:\s?(?:am|pm|a\.m\.|p\.m\.))?(?![\p{L}\d])|\d{1,2}\s?(?:am|pm|a\.m\.|p\.m\.)(?![\p{L}\d])/iuy;
/** Thousands with points and a decimal comma, as in `1.250,50`; either alone is read the English way. */
const DECIMAL_COMMA = /\d{1,3}(?:\.\d{3})+,\d{1,2}(?![\d,])/y;
/** A plain space between groups would join the numbers of a list. */
const NUMBER =
  /(?:\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d{1,3}(?:['’\u00a0\u202f]\d{3})+(?!\d)(?:\.\d+)?|\d+(?:_\d{3})+|\d+(?:\.\d+)?(?:e[+-]?\d{1,3}(?!\d))?|\.\d+)/iy;
const ORDINAL = /(\d+)(?:st|nd|rd|th)(?![\p{L}\d])/iuy;
const THOUSANDS = /k(?![\p{L}\d])/iuy;

/** A number, ordinal, date or time in digits that starts here. */
export function matchNumeral(source: string, at: number): Numeral | undefined {
  if (!/[\d.]/.test(source.charAt(at))) return undefined;
  const date = find(DATE, source, at) ?? find(SLASH_DATE, source, at);
  if (date) return { kind: 'date', end: at + date[0].length, value: date[0] };
  const time = find(TIME, source, at);
  if (time) return { kind: 'time', end: at + time[0].length, value: time[0] };
  const ordinal = find(ORDINAL, source, at);
  if (ordinal) return { kind: 'ordinal', end: at + ordinal[0].length, value: Number(ordinal[1]) };
  const withComma = find(DECIMAL_COMMA, source, at)?.[0];
  if (withComma !== undefined) {
    const value = Number(withComma.replaceAll('.', '').replace(',', '.'));
    return { kind: 'number', end: at + withComma.length, value };
  }
  const number = find(NUMBER, source, at);
  return number && finish(source, at, number[0]);
}

function find(pattern: RegExp, source: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source) ?? undefined;
}

function finish(source: string, at: number, text: string): Numeral {
  const value = Number(text.replace(/[,_'’\u00a0\u202f]/g, ''));
  const end = at + text.length;
  // Digits that no number can hold are a word, read in one go.
  if (!Number.isFinite(value)) return { kind: 'word', end, value: text };
  return find(THOUSANDS, source, end)
    ? { kind: 'number', end: end + 1, value: value * 1_000 }
    : { kind: 'number', end, value };
}
