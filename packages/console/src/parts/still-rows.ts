import { useState } from 'preact/hooks';

interface Kept<T> {
  readonly question: string;
  readonly rows: readonly T[];
}

export interface StillRows<T> {
  readonly rows: readonly T[];
  /** How many rows are new, or do not belong here any more. */
  readonly changed: number;
  /** Shows the rows as they are now. */
  readonly take: () => void;
  /** Adds rows of a later page. */
  readonly append: (rows: readonly T[]) => void;
}

/**
 * Keeps rows where they are while they are asked for again and again, so that none moves under the pointer: known rows are brought
 * up to date. New ones, and those that have left the first page although others behind them are still there, are counted until the
 * reader takes the rows as they are.
 * @param question what the rows answer; the first answer is shown as it is
 * @param newest the first page
 */
export function useStillRows<T>(
  question: string,
  newest: readonly T[] = [],
  keyOf: (row: T) => string,
): StillRows<T> {
  const [shownRows, setShownRows] = useState<Kept<T>>();
  const isOfThis = shownRows?.question === question;
  if (newest.length > 0 && (!isOfThis || shownRows.rows.length === 0))
    setShownRows({ question, rows: newest });
  const byKey = new Map(newest.map((row) => [keyOf(row), row]));
  const before = isOfThis ? shownRows.rows : [];
  const rows = before.map((row) => byKey.get(keyOf(row)) ?? row);
  const known = new Set(rows.map(keyOf));
  const fresh = isOfThis ? newest.filter((row) => !known.has(keyOf(row))) : [];
  // Rows behind the first page are those of later pages.
  const lastOfPage = rows.map((row) => byKey.has(keyOf(row))).lastIndexOf(true);
  const firstPage = rows.slice(0, lastOfPage + 1);
  const left = firstPage.filter((row) => !byKey.has(keyOf(row)));
  return {
    rows,
    changed: fresh.length + left.length,
    // If none of the known rows is on the first page any more, there may be others between it and them.
    take: () =>
      setShownRows({
        question,
        rows: firstPage.length === 0 ? newest : [...newest, ...rows.slice(firstPage.length)],
      }),
    append: (later) =>
      setShownRows({ question, rows: [...rows, ...later.filter((row) => !known.has(keyOf(row)))] }),
  };
}
