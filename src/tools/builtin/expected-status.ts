import { validationError } from '../../base/errors';

/** Statuses from `first` to `last`, both included. */
export interface StatusRange {
  readonly first: number;
  readonly last: number;
}

const MIN_STATUS = 100;
const MAX_STATUS = 599;
/** Maximum number of entries. */
const MAX_ENTRIES = 20;
/** A status, a class such as `2xx`, or two statuses with a hyphen between them. */
const ENTRY = /^(?:(\d{3})(?:-(\d{3}))?|([1-5])xx)$/i;
const FORM = `must be a status (201), a class ("2xx"), a range ("200-299"), or a list of up to ${MAX_ENTRIES} of them`;

/**
 * Reads the argument `expect` of `api_call`: `201`, `"201"`, `"2xx"`, `"200-299"`, or a list of them. Pure.
 * @param field the place of the argument, for the error
 * @returns undefined if the argument is absent, so that each status is expected
 * @throws HoldfastError `VALIDATION`
 */
export function readExpected(value: unknown, field: string): readonly StatusRange[] | undefined {
  if (value === undefined) return undefined;
  const entries: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (entries.length === 0 || entries.length > MAX_ENTRIES) throw validationError(field, FORM);
  return entries.map((entry) => {
    const range = readEntry(entry);
    if (range === undefined) throw validationError(field, FORM);
    return range;
  });
}

/** Whether a status is one of those that are expected. Pure. */
export function isExpected(expected: readonly StatusRange[] | undefined, status: number): boolean {
  return expected === undefined || expected.some(({ first, last }) => status >= first && status <= last);
}

function readEntry(entry: unknown): StatusRange | undefined {
  if (typeof entry !== 'string' && typeof entry !== 'number') return undefined;
  const [, from, to = from, digit] = ENTRY.exec(String(entry)) ?? [];
  const first = digit === undefined ? Number(from) : Number(digit) * 100;
  const last = digit === undefined ? Number(to) : first + 99;
  return first >= MIN_STATUS && first <= last && last <= MAX_STATUS ? { first, last } : undefined;
}
