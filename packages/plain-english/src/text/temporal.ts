import type { Token } from './token';
import { wordsTagged } from './lexicon/words';

/** A date or time in a sentence. */
export interface Temporal {
  readonly from: number;
  readonly to: number;
  readonly date: boolean;
  readonly time: boolean;
}

const DAYS = wordsTagged('days');
const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
const RELATIVE = new Set(['today', 'tomorrow', 'tonight', 'yesterday']);
const QUALIFIERS = new Set(['next', 'this', 'coming', 'every']);
const PERIODS = wordsTagged('periods');
const TIMES = new Set(['noon', 'midnight', 'midday']);
const UNITS = /^(?:seconds?|minutes?|mins?|hours?|days?|weeks?|months?|years?)$/;

/** True for the name of a day or a month, whose capital makes it no name of a person. */
export function isCalendarWord(lower: string): boolean {
  return lower.length > 3
    ? DAYS.has(lower) || (MONTHS.includes(lower) && lower !== 'april' && lower !== 'june')
    : DAYS.has(lower);
}

/** Every date and time, in order. */
export function findTemporals(tokens: readonly Token[]): Temporal[] {
  const found: Temporal[] = [];
  for (let at = 0; at < tokens.length;) {
    const one = dateAt(tokens, at) ?? timeAt(tokens, at);
    if (one) found.push(one);
    at = one ? one.to : at + 1;
  }
  return found;
}

/** Joins a date and a time that stand next to each other, `tomorrow at 5pm`. */
export function joinTemporals(tokens: readonly Token[], found: readonly Temporal[]): Temporal[] {
  const joined: Temporal[] = [];
  for (const one of found) {
    const last = joined.at(-1);
    const between = last ? tokens.slice(last.to, one.from) : [];
    if (
      last &&
      between.length <= 1 &&
      between.every(({ lower }) => ['at', 'on', ',', 'by'].includes(lower))
    ) {
      joined[joined.length - 1] = {
        from: last.from,
        to: one.to,
        date: last.date || one.date,
        time: last.time || one.time,
      };
    } else joined.push(one);
  }
  return joined;
}

function dateAt(tokens: readonly Token[], at: number): Temporal | undefined {
  const token = tokens[at];
  if (!token) return undefined;
  const end = dateEnd(tokens, at, token);
  return end === undefined ? undefined : { from: at, to: withDayTime(tokens, end), date: true, time: false };
}

function dateEnd(tokens: readonly Token[], at: number, token: Token): number | undefined {
  const next = tokens[at + 1]?.lower ?? '';
  if (token.kind === 'date') return at + 1;
  if (token.kind === 'word') {
    if (RELATIVE.has(token.lower) || DAYS.has(token.lower)) return at + 1;
    if (QUALIFIERS.has(token.lower) && (DAYS.has(next) || PERIODS.has(next))) return at + 2;
    if (token.lower === 'in' && tokens[at + 1]?.kind === 'number' && UNITS.test(tokens[at + 2]?.lower ?? ''))
      return at + 3;
    if (isMonth(token) && isDayNumber(tokens[at + 1])) return withYear(tokens, at + 2);
  }
  if (isDayNumber(token)) {
    const month = next === 'of' ? at + 2 : at + 1;
    if (isMonth(tokens[month])) return withYear(tokens, month + 1);
    if (token.kind === 'ordinal' && tokens[at - 1]?.lower === 'the' && tokens[at - 2]?.lower === 'on')
      return at + 1;
  }
  return undefined;
}

function withYear(tokens: readonly Token[], at: number): number {
  const year = tokens[at]?.lower === ',' ? at + 1 : at;
  return /^(?:19|20)\d\d$/.test(tokens[year]?.text ?? '') ? year + 1 : at;
}

function withDayTime(tokens: readonly Token[], end: number): number {
  return ['morning', 'afternoon', 'evening', 'night'].includes(tokens[end]?.lower ?? '') ? end + 1 : end;
}

function isMonth(token: Token | undefined): boolean {
  return (
    token?.kind === 'word' &&
    MONTHS.some((month) => month === token.lower || month.slice(0, 3) === token.lower)
  );
}

function isDayNumber(token: Token | undefined): boolean {
  const day = token && (token.kind === 'number' || token.kind === 'ordinal') ? Number(token.value) : 0;
  return Number.isInteger(day) && day >= 1 && day <= 31;
}

function timeAt(tokens: readonly Token[], at: number): Temporal | undefined {
  const token = tokens[at];
  if (!token) return undefined;
  const oclock = token.kind === 'number' && tokens[at + 1]?.lower === "o'clock";
  if (token.kind !== 'time' && !TIMES.has(token.lower) && !oclock) return undefined;
  return { from: at, to: oclock ? at + 2 : at + 1, date: false, time: true };
}

/** A time in the form that a parameter asks for, where that only takes rewriting. */
export function writeTime(text: string, description: string): string {
  if (!/24.?hour|HH:MM/i.test(description)) return text;
  if (/^noon|midday$/i.test(text)) return '12:00';
  if (/^midnight$/i.test(text)) return '00:00';
  const found = /^(\d{1,2})(?::(\d{2}))?(?::\d{2})?\s?(am|pm|a\.m\.|p\.m\.)?$/i.exec(text);
  if (!found) return text;
  const [, hours = '', minutes = '00', half = ''] = found;
  const shift =
    /^p/i.test(half) && Number(hours) < 12 ? 12 : /^a/i.test(half) && Number(hours) === 12 ? -12 : 0;
  return `${String(Number(hours) + shift).padStart(2, '0')}:${minutes}`;
}

/** A date in the form that a parameter asks for, where the sentence gives the year. */
export function writeDate(text: string, description: string): string {
  if (!/YYYY-MM-DD|ISO/i.test(description)) return text;
  const year = /\b((?:19|20)\d\d)\b/.exec(text)?.[1];
  const month =
    MONTHS.findIndex((name) => new RegExp(`\\b(?:${name}|${name.slice(0, 3)})\\b`, 'i').test(text)) + 1;
  const day = /\b(\d{1,2})(?:st|nd|rd|th)?\b/i.exec(text)?.[1];
  if (year === undefined || month === 0 || day === undefined) return text;
  return `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`;
}
