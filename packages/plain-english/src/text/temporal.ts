import { lowerAt, textOf, type Token, type TokenText } from './token';

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
const ISO = /^\d{4}-\d{2}-\d{2}/;

/** A date with its year that starts at this token, as it is written: `2025-03-14`, `14 March 2025`, `March 14th, 2025`. */
export function dateAt(
  text: TokenText,
  at: number,
): { readonly value: string; readonly to: number } | undefined {
  const { tokens } = text;
  const token = tokens[at];
  if (token?.kind === 'date') return { value: token.text, to: at + 1 };
  const of = lowerAt(tokens, at + 1) === 'of' ? 1 : 0;
  const isDayFirst = isDay(token) && monthOf(lowerAt(tokens, at + 1 + of)) > 0;
  const isMonthFirst = token?.kind === 'word' && monthOf(token.lower) > 0 && isDay(tokens[at + 1]);
  if (!isDayFirst && !isMonthFirst) return undefined;
  let year = at + 2 + (isDayFirst ? of : 0);
  if (lowerAt(tokens, year) === ',') year++;
  return /^(?:19|20)\d\d$/.test(lowerAt(tokens, year))
    ? { value: textOf(text, at, year + 1), to: year + 1 }
    : undefined;
}

/** A date as YYYY-MM-DD; undefined if it is not clear which of its numbers is the month. */
export function toIsoDate(written: string): string | undefined {
  if (ISO.test(written)) return written;
  const words = written.toLowerCase().match(/[a-z]+|\d+/g) ?? [];
  const month = words.map(monthOf).find((one) => one > 0);
  const year = words.find((word) => word.length === 4 && /^\d+$/.test(word));
  const day = words.find((word) => /^\d{1,2}$/.test(word));
  if (month === undefined || year === undefined || day === undefined) return undefined;
  return `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`;
}

function monthOf(word: string): number {
  return MONTHS.findIndex((month) => month === word || (word.length === 3 && month.startsWith(word))) + 1;
}

function isDay(token: Token | undefined): boolean {
  const day = token?.kind === 'number' || token?.kind === 'ordinal' ? Number(token.value) : 0;
  return Number.isInteger(day) && day >= 1 && day <= 31;
}
