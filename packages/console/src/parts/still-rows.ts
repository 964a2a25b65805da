import { useState } from 'preact/hooks';

interface Kept<T> {
  readonly question: string;
  readonly rows: readonly T[];
}

export interface StillRows<T> {
  readonly rows: readonly T[];
  /** How many new rows wait for the reader. */
  readonly fresh: number;
  /** Shows the new rows, at the top. */
  readonly take: () => void;
  /** Adds rows of a later page. */
  readonly append: (rows: readonly T[]) => void;
}

/**
 * Keeps rows where they are while they are asked for again and again, so that none moves under the pointer: known rows are brought
 * up to date, and new ones are counted until the reader takes them.
 * @param question what the rows answer; the first answer is shown as it is
 */
export function useStillRows<T>(
  question: string,
  newest: readonly T[] | undefined,
  keyOf: (row: T) => string,
): StillRows<T> {
  const [shownRows, setShownRows] = useState<Kept<T>>();
  const isOfThis = shownRows?.question === question;
  if (newest !== undefined && newest.length > 0 && (!isOfThis || shownRows.rows.length === 0))
    setShownRows({ question, rows: newest });
  const byKey = new Map((newest ?? []).map((row) => [keyOf(row), row]));
  const rows = (isOfThis ? shownRows.rows : []).map((row) => byKey.get(keyOf(row)) ?? row);
  const known = new Set(rows.map(keyOf));
  const fresh = isOfThis ? (newest ?? []).filter((row) => !known.has(keyOf(row))) : [];
  return {
    rows,
    fresh: fresh.length,
    take: () => setShownRows({ question, rows: [...fresh, ...rows] }),
    append: (later) =>
      setShownRows({ question, rows: [...rows, ...later.filter((row) => !known.has(keyOf(row)))] }),
  };
}
