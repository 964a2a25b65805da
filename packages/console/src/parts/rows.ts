import { useState } from 'preact/hooks';
import { type AskOptions, useAsked } from '../api/ask';
import type { ApiProblem } from '../api/client';
import { useSend } from '../api/send';

/** A part of a list. */
export interface Page<T> {
  readonly rows: readonly T[];
  /** What the next page is asked for by; absent on the last one. */
  readonly next?: string | undefined;
}

/** The page that an answer of the API is, which has its rows by a name. */
export async function pageOf<A extends object, K extends string>(answer: Promise<A>, name: K) {
  type Listed = Extract<A, Record<K, readonly unknown[]>>;
  const { [name]: rows = [], next } = (await answer) as Partial<Listed> & { readonly next?: string };
  return { rows, next } as Page<Listed[K][number]>;
}

export interface RowsQuestion<T> extends Pick<AskOptions<Page<T>>, 'everyMs' | 'version'> {
  /** As in `useAsked`. */
  readonly question: string | undefined;
  /** Reads the first page, or the one after another by the `next` of that. */
  readonly read: (next: string | undefined, signal?: AbortSignal) => Promise<Page<T>>;
  readonly keyOf: (row: T) => string;
}

export interface Rows<T> {
  /** Undefined before the first answer. */
  readonly rows: readonly T[] | undefined;
  /** How many rows have come or gone since the reader saw them. */
  readonly changed: number;
  /** Shows the rows as they are now. */
  readonly take: () => void;
  /** Adds the next page; undefined on the last one. */
  readonly more: (() => void) | undefined;
  readonly problem: ApiProblem | undefined;
}

interface Kept<T> extends Page<T> {
  /** The question and the version that they answer. */
  readonly of: string;
}

/**
 * Asks for a list, page after page. Rows stay where they are while the first page is asked for again and again, so that none moves
 * under the pointer: known rows are brought up to date. New ones, and those that have left the first page although others behind
 * them are still there, are counted until the reader takes the rows as they are. The first answer to a question or to a version of
 * it is shown as it is.
 */
export function useRows<T>({ question, read, keyOf, everyMs, version }: RowsQuestion<T>): Rows<T> {
  const options = { everyMs, version };
  const { data, problem, answered } = useAsked(question, (signal) => read(undefined, signal), options);
  const [keptRows, keep] = useState<Kept<T>>();
  const { problem: refusal, send } = useSend();
  const of = JSON.stringify([question, answered]);
  if (data !== undefined && (keptRows?.of !== of || (keptRows.rows.length === 0 && data.rows.length > 0)))
    keep({ of, ...data });
  const { rows: before, next } =
    keptRows?.of === of ? keptRows : { rows: data?.rows ?? [], next: data?.next };
  const { rows, later, changed } = compare(before, data ?? { rows: [] }, keyOf);
  const addNext = async (): Promise<void> => {
    const page = await read(next);
    const known = new Set(rows.map(keyOf));
    const added = page.rows.filter((row) => !known.has(keyOf(row)));
    keep((now) => (now?.of === of ? { of, rows: [...now.rows, ...added], next: page.next } : now));
  };
  return {
    rows: data && rows,
    changed,
    // Without a row of before on the first page there may be others between it and them.
    take: () =>
      keep({
        of,
        rows: [...(data?.rows ?? []), ...later],
        next: later.length === 0 ? data?.next : next,
      }),
    more: next === undefined ? undefined : () => send(addNext),
    problem: problem ?? refusal,
  };
}

/** Compares the rows that are shown with the first page as it is now. Pure. */
function compare<T>(before: readonly T[], { rows: firstPage, next }: Page<T>, keyOf: (row: T) => string) {
  const byKey = new Map(firstPage.map((row) => [keyOf(row), row]));
  const known = new Set(before.map(keyOf));
  const overlap = before.map((row) => byKey.has(keyOf(row))).lastIndexOf(true) + 1;
  // If there is no other page, what is not on the first one has left.
  const end = next === undefined ? before.length : overlap;
  const fresh = firstPage.filter((row) => !known.has(keyOf(row)));
  const left = before.slice(0, end).filter((row) => !byKey.has(keyOf(row)));
  return {
    rows: before.map((row) => byKey.get(keyOf(row)) ?? row),
    /** Those of later pages. */
    later: end === 0 ? [] : before.slice(end),
    changed: fresh.length + left.length,
  };
}
