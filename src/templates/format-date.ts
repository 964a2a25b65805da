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

/**
 * Reads a time.
 * @param value a text of ISO 8601, or milliseconds since 1970
 * @returns milliseconds since 1970; undefined where it is no time, or not in the years 0 to 9999. Pure.
 */
export function readTime(value: unknown): number | undefined {
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
export function formatTime(time: number, format: string): string {
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
