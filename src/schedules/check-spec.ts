import { validationError } from '../base/errors';

const DURATION = /^(\d{1,6})(s|m|h|d)$/;
const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** Runs more often than this would fill the namespace of a server. */
export const MIN_INTERVAL_MS = 10_000;
const MAX_INTERVAL_MS = 366 * 86_400_000;

/** The fields of a cron expression in their order, with their bounds and names. */
const FIELDS = [
  { name: 'minute', min: 0, max: 59, names: [] },
  { name: 'hour', min: 0, max: 23, names: [] },
  { name: 'day of month', min: 1, max: 31, names: [] },
  { name: 'month', min: 1, max: 12, names: 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ') },
  { name: 'day of week', min: 0, max: 7, names: 'SUN MON TUE WED THU FRI SAT'.split(' ') },
] as const;
type Field = (typeof FIELDS)[number];
const NICKNAMES: ReadonlySet<string> = new Set([
  '@hourly',
  '@daily',
  '@midnight',
  '@weekly',
  '@monthly',
  '@yearly',
  '@annually',
]);
const PART = /^(\*|[A-Za-z]{3}|\d{1,2})(?:-([A-Za-z]{3}|\d{1,2}))?(?:\/(\d{1,2}))?$/;

/**
 * Reads a duration such as `10s`, `5m`, `1h` or `2d`.
 * @returns milliseconds
 * @throws HoldfastError `VALIDATION`, which names `field`
 */
export function readDuration(text: string, field: string): number {
  const [, amount, unit] = DURATION.exec(text) ?? [];
  if (amount === undefined)
    throw validationError(field, `${field} must be a duration like 30s, 5m, 1h or 2d`);
  return Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS];
}

/** Reads the interval of a schedule, milliseconds. @throws HoldfastError `VALIDATION` */
export function readInterval(text: string, field: string): number {
  const interval = readDuration(text, field);
  if (interval < MIN_INTERVAL_MS || interval > MAX_INTERVAL_MS)
    throw validationError(field, `${field} must be at least 10s and at most 366d`);
  return interval;
}

/** Checks the name of a time zone. @throws HoldfastError `VALIDATION` */
export function checkTimeZone(name: string, field: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
  } catch {
    throw validationError(field, `${field} must be the name of a time zone like Europe/Berlin`);
  }
}

/**
 * Checks a cron expression of five fields, or a name such as `@daily`. Seconds, `@every` and a zone within the expression, which
 * the engine would take, are refused, since they would get around the other settings of the schedule.
 * @throws HoldfastError `VALIDATION`, which names the field of the expression
 */
export function checkCron(text: string, field: string): void {
  if (NICKNAMES.has(text)) return;
  const parts = text.trim().split(/\s+/);
  if (parts.length !== FIELDS.length)
    throw validationError(
      field,
      `${field} must have five fields (minute, hour, day of month, month, day of week) or be a name like @daily`,
    );
  FIELDS.forEach((of, at) => {
    for (const part of parts[at]?.split(',') ?? []) {
      if (!fits(part, of))
        throw validationError(field, `${field}: "${part}" is no ${of.name} from ${of.min} to ${of.max}`);
    }
  });
}

function fits(part: string, of: Field): boolean {
  const [, from = '', to, step] = PART.exec(part) ?? [];
  const first = from === '*' ? of.min : valueOf(from, of);
  const last = to === undefined ? (from === '*' || step !== undefined ? of.max : first) : valueOf(to, of);
  const isRange = first !== undefined && last !== undefined && first <= last;
  return isRange && !(from === '*' && to !== undefined) && (step === undefined || Number(step) >= 1);
}

function valueOf(text: string, { min, max, names }: Field): number | undefined {
  const named = (names as readonly string[]).indexOf(text.toUpperCase());
  const value = named >= 0 ? named + (min === 1 ? 1 : 0) : Number(text === '' ? NaN : text);
  return Number.isInteger(value) && value >= min && value <= max ? value : undefined;
}
