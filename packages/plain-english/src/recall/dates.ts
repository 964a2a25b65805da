import { parse } from 'chrono-node/en';

const RELATIVE =
  /\b(?:yesterday|today|tonight|tomorrow|this (?:morning|afternoon|evening)|(?:last|next) (?!week|month|year)\w+|(?<!every |each |first |second |third |last |next )(?:mon|tues|wednes|thurs|fri|satur|sun)day|\w+ (?:days?|weeks?|months?) ago|in \w+ (?:days?|weeks?|months?))\b/i;
const WEEKDAY = /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b/i;
const PAST = /\b(?:was|were|had|did|went|got|came|saw|met|took|bought|lost|left|\w+ed)\b/i;
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);
const DAY_MS = 24 * 60 * 60 * 1_000;
const YEAR_MS = 365.25 * DAY_MS;
/** Longest text searched for a date, characters. */
const MAX_TEXT = 500;
/** The parser takes a time that grows exponentially with repeats of these, and of several spaces: `1 y   1 y   1 y`. */
const COUPLE = /(?:\ba )?couple(?: of)?/gi;

/**
 * The day that `yesterday` or `next Friday` meant on the day of the message, as `30 September 2026`; undefined where the
 * text names no day, or names it in full. `at` is in epoch ms.
 */
export function resolveDay(text: string, at: number): string | undefined {
  const read = text.slice(0, MAX_TEXT);
  if (!Number.isFinite(at) || !RELATIVE.test(read)) return undefined;
  const isPast = PAST.test(read);
  const found = parse(
    toReadable(read),
    { instant: new Date(at), timezone: 0 },
    { forwardDate: !isPast },
  ).find(({ text: said }) => RELATIVE.test(said));
  if (
    !found ||
    found.start.isCertain('month') !== found.start.isCertain('day') ||
    /\d{4}|\d(?:st|nd|rd|th)?\s+(?:of\s+)?\p{L}{3,}ber\b/u.test(found.text)
  )
    return undefined;
  const day = Date.UTC(
    found.start.get('year') ?? 0,
    (found.start.get('month') ?? 1) - 1,
    found.start.get('day') ?? 1,
  );
  const isAhead = isPast && WEEKDAY.test(found.text) && day > at;
  const date = new Date(isAhead ? day - 7 * DAY_MS : day);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()] ?? ''} ${date.getUTCFullYear()}`;
}

/** A text without what would take the parser minutes. */
function toReadable(text: string): string {
  return text.replace(/\s+/g, ' ').replace(COUPLE, 'two');
}

/** Whole years from the date of birth in a text to now; undefined where it has no year. */
export function ageFrom(text: string, now: Date): number | undefined {
  const found = parse(toReadable(text.slice(0, MAX_TEXT)), now).find(
    ({ start }) => start.isCertain('year') && start.isCertain('month'),
  );
  if (!found) return undefined;
  const age = Math.floor((now.getTime() - found.start.date().getTime()) / YEAR_MS);
  return age >= 0 && age < 130 ? age : undefined;
}
