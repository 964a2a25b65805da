import { jsonLength } from '../contracts/json-length';

/** A date, or a date and a time; without an offset it is UTC. */
const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:(Z)|([+-])(\d\d):?(\d\d))?)?$/i;
/** What a format is replaced by; a text in brackets stands for itself. */
const TOKEN = /\[([^\]]*)\]|YYYY|MM|DD|HH|mm|ss|SSS/g;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** The first millisecond of the year 0. */
const MIN_MS = -62_167_219_200_000;
/** The last one of the year 9999. */
const MAX_MS = 253_402_300_799_999;

/** Characters of JSON of a value that a function takes, and of one that it gives. */
export const MAX_FUNCTION_LENGTH = 1_048_576;
/** Characters of a text in parentheses. */
const MAX_ARGUMENT = 100;

/** What a function gives. */
export type Applied =
  | { readonly value: unknown }
  /** `isAbsent`: there is nothing, so that a default may follow. */
  | { readonly problem: string; readonly isAbsent?: true }
  | { readonly isTooLong: true };

interface TemplateFunction {
  readonly hasArgument: boolean;
  /** @returns undefined if the function does not take such a value */
  apply(value: unknown, argument: string): Applied | undefined;
  /** What it takes, for an error. */
  readonly takes: string;
}

function ofText(convert: (text: string) => string): TemplateFunction {
  return {
    hasArgument: false,
    takes: 'a text',
    apply: (value) => (typeof value === 'string' ? { value: convert(value) } : undefined),
  };
}

function itemOf(name: string, at: 0 | -1): TemplateFunction {
  return {
    hasArgument: false,
    takes: 'a list',
    apply(value) {
      if (!Array.isArray(value)) return undefined;
      const empty: Applied = { problem: `there is no ${name} item in an empty list`, isAbsent: true };
      return value.length === 0 ? empty : { value: value.at(at) as unknown };
    },
  };
}

/** The functions of templates. They depend on nothing but what they are given. */
const FUNCTIONS: ReadonlyMap<string, TemplateFunction> = new Map([
  [
    'json',
    { hasArgument: false, takes: 'any value', apply: (value) => ({ value: JSON.stringify(value ?? null) }) },
  ],
  ['length', { hasArgument: false, takes: 'a text, a list or an object', apply: lengthOf }],
  ['lower', ofText((text) => text.toLowerCase())],
  ['upper', ofText((text) => text.toUpperCase())],
  ['trim', ofText((text) => text.trim())],
  [
    'date',
    {
      hasArgument: true,
      takes: 'a time of ISO 8601 or milliseconds since 1970',
      apply(value, format) {
        const time = readTime(value);
        return time === undefined ? undefined : { value: formatTime(time, format) };
      },
    },
  ],
  ['join', { hasArgument: true, takes: 'a list', apply: join }],
  ['first', itemOf('first', 0)],
  ['last', itemOf('last', -1)],
]);

/** The names of the functions, in the order of the documents. */
export const FUNCTION_NAMES: readonly string[] = [...FUNCTIONS.keys()];

/**
 * Whether there is a function of that name that is called so.
 * @param argument undefined if there are no parentheses; null if these have something other than one text
 */
export function isFunctionCall(
  name: string,
  argument: string | null | undefined,
): argument is string | undefined {
  const known = FUNCTIONS.get(name);
  if (known === undefined || argument === null) return false;
  return known.hasArgument
    ? argument !== undefined && argument.length <= MAX_ARGUMENT
    : argument === undefined;
}

/**
 * Applies a function. Pure.
 * @param length characters of JSON of the value
 */
export function applyFunction(name: string, value: unknown, length: number, argument = ''): Applied {
  const known = FUNCTIONS.get(name);
  if (known === undefined) return { problem: `there is no function "${name}"` };
  if (value === null && name !== 'json')
    return { problem: `${name} takes ${known.takes}, it is null`, isAbsent: true };
  if (length > MAX_FUNCTION_LENGTH) return { isTooLong: true };
  const applied = known.apply(value, argument);
  if (applied !== undefined) return applied;
  const what = Array.isArray(value) ? 'a list' : typeof value === 'string' ? 'another text' : typeof value;
  return { problem: `${name} takes ${known.takes}, it is ${what}` };
}

function lengthOf(value: unknown): Applied | undefined {
  if (Array.isArray(value)) return { value: value.length };
  if (typeof value === 'object' && value !== null) return { value: Object.keys(value).length };
  if (typeof value !== 'string') return undefined;
  let characters = 0;
  for (let at = 0; at < value.length; at += (value.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) characters += 1;
  return { value: characters };
}

function join(value: unknown, separator: string): Applied | undefined {
  if (!Array.isArray(value)) return undefined;
  const length = jsonLength(value, MAX_FUNCTION_LENGTH) + value.length * separator.length;
  if (length > MAX_FUNCTION_LENGTH) return { isTooLong: true };
  const texts = value.map((item: unknown) => (typeof item === 'string' ? item : JSON.stringify(item)));
  return { value: texts.join(separator) };
}

/**
 * Reads a time.
 * @param value a text of ISO 8601, or milliseconds since 1970
 * @returns milliseconds since 1970; undefined if it is no time, or not in the years 0 to 9999. Pure.
 */
function readTime(value: unknown): number | undefined {
  const time =
    typeof value === 'number' ? Math.floor(value) : typeof value === 'string' ? readIso(value) : NaN;
  return time !== undefined && time >= MIN_MS && time <= MAX_MS ? time : undefined;
}

function readIso(text: string): number | undefined {
  const match = ISO.exec(text.trim());
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part: string | undefined) => Number(part ?? 0));
  const [fraction = '', , sign, offsetHours = '0', offsetMinutes = '0'] = match.slice(7);
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  if (Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // A day that the month does not have would be one of the next month.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  date.setUTCHours(hour, minute, second, Number(fraction.slice(0, 3).padEnd(3, '0')));
  const offset = Number(offsetHours) * HOUR_MS + Number(offsetMinutes) * MINUTE_MS;
  return date.getTime() - (sign === '-' ? -offset : offset);
}

/**
 * Writes a time in UTC. `YYYY`, `MM`, `DD`, `HH`, `mm`, `ss` and `SSS` are replaced, and a text in brackets stands for
 * itself without them. Pure.
 * @param time milliseconds since 1970, in the years 0 to 9999
 */
function formatTime(time: number, format: string): string {
  const iso = new Date(time).toISOString();
  const parts: Readonly<Record<string, string>> = {
    YYYY: iso.slice(0, 4),
    MM: iso.slice(5, 7),
    DD: iso.slice(8, 10),
    HH: iso.slice(11, 13),
    mm: iso.slice(14, 16),
    ss: iso.slice(17, 19),
    SSS: iso.slice(20, 23),
  };
  return format.replace(TOKEN, (token, literal: string | undefined) => literal ?? parts[token] ?? token);
}
