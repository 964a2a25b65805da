import type { ParsedComponents, ParsedResult } from 'chrono-node';

/** A time that a text names, epoch milliseconds; both ends are inclusive. */
export interface NamedTime {
  readonly from: number;
  readonly to: number;
}

/**
 * What every date that counts contains: a digit, a name of a day or month, or a word like "yesterday". The parser is loaded
 * only for such texts, because loading it and its first use take 0.1 s.
 */
const MAY_NAME_TIME =
  /\d|\b(?:today|yesterday|ago|last|past|this|(?:mon|tues|wednes|thurs|fri|satur|sun)day|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b/i;
/** Only the beginning of a query is read, so that a long one takes a few milliseconds. */
const MAX_LENGTH = 1_000;
/** Words and figures that are more often something else than a day or a month: "the sun", "to march", "24/7". */
const SELDOM_TIME = /^(?:mon|tue|wed|thu|fri|sat|sun|mar|march|now|\d+\/\d+)$/;
/** The parser takes a time that grows exponentially with repeats of these, and of several spaces: `1 y   1 y   1 y`. */
const COUPLE = /(?:\ba )?couple(?: of)?/gi;
/** The parser reads no year by itself. */
const YEAR = /\b(?:in|of|during|since|year)\s+((?:19|20)\d\d)\b/gi;
const UNTIL_NOW = /^(?:last|past)\s.*\b(?:days|weeks|months|years)$/i;
const MAX_TIMES = 4;
const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;

/**
 * Finds the past days, weeks, months and years that a text names in English: "on 3 May 2023", "2023-05-03", "in May", "in 2023",
 * "last week", "the past 3 days", "since Monday", "from 3 to 7 May". A day or month without a year is the latest that has begun
 * by `now`. Days are those of UTC.
 * @param now epoch milliseconds
 */
export async function namedTimes(text: string, now: number): Promise<readonly NamedTime[]> {
  const read = toReadable(text);
  if (!MAY_NAME_TIME.test(read)) return [];
  const { parse } = await import('chrono-node/en');
  const parsed = parse(read, { instant: new Date(now), timezone: 0 });
  const dates = parsed.flatMap((each) => {
    const isSince = /\bsince\s+$/i.test(read.slice(0, each.index));
    return toNamedTime(each, { now, isUntilNow: isSince || UNTIL_NOW.test(each.text) }) ?? [];
  });
  const years = [...read.matchAll(YEAR)].map(([, year]) => ({
    from: Date.UTC(Number(year), 0),
    to: Date.UTC(Number(year) + 1, 0) - 1,
  }));
  const isPast = ({ from }: NamedTime): boolean => from <= now;
  const pastDates = dates.filter(isPast);
  return (pastDates.length > 0 ? pastDates : years.filter(isPast)).slice(0, MAX_TIMES);
}

/** The part of a text that the parser reads, without what would take it minutes. Pure. */
export function toReadable(text: string): string {
  return text.slice(0, MAX_LENGTH).replace(/\s+/g, ' ').replace(COUPLE, 'two');
}

function toNamedTime(
  { text, start, end }: ParsedResult,
  { now, isUntilNow }: { readonly now: number; readonly isUntilNow: boolean },
): NamedTime | undefined {
  if (SELDOM_TIME.test(text)) return undefined;
  const first = spanOf(start, text, now);
  if (first === undefined) return undefined;
  const last = end == null ? undefined : spanOf(end, text, now);
  return { from: first.from, to: Math.max(first.to, last?.to ?? 0, isUntilNow ? endOfDay(now) : 0) };
}

function endOfDay(time: number): number {
  return (Math.floor(time / DAY_MS) + 1) * DAY_MS - 1;
}

/** Undefined if the text names only a time of day. */
function spanOf(date: ParsedComponents, text: string, now: number): NamedTime | undefined {
  const [year, month, day] = [date.get('year') ?? 0, (date.get('month') ?? 1) - 1, date.get('day') ?? 1];
  const isWeekday = date.isCertain('weekday') && !date.isCertain('day');
  if (isWeekday || date.isCertain('day')) {
    // "Last week" is given as the day seven days ago.
    const beside = /\bweeks?\b/i.test(text) ? Math.floor(WEEK_DAYS / 2) : 0;
    const at = Date.UTC(year, month, day);
    const isFuture = at > now && !date.isCertain('year');
    const begun = !isFuture ? at : isWeekday ? at - WEEK_DAYS * DAY_MS : Date.UTC(year - 1, month, day);
    return { from: begun - beside * DAY_MS, to: begun + (beside + 1) * DAY_MS - 1 };
  }
  if (date.isCertain('month')) {
    const isFuture = Date.UTC(year, month) > now && !date.isCertain('year');
    const begun = isFuture ? year - 1 : year;
    return { from: Date.UTC(begun, month), to: Date.UTC(begun, month + 1) - 1 };
  }
  return date.isCertain('year') ? { from: Date.UTC(year, 0), to: Date.UTC(year + 1, 0) - 1 } : undefined;
}
