import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** What keys do. An action that returns false leaves the key to others. */
export type KeyActions = Readonly<Record<string, () => unknown>>;

/** Whether the key is written into a field. */
function isWriting({ target }: KeyboardEvent): boolean {
  return target instanceof HTMLElement && target.matches('input:not([type=checkbox]), textarea, select');
}

/**
 * Calls actions by keys. While a field has the focus only Escape counts, which leaves the field.
 * @param isFirst true: before those of others, which do not get the keys then
 */
export function useKeys(actions: KeyActions, isFirst = false): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isWriting(event)) {
        if (event.key === 'Escape') (event.target as HTMLElement).blur();
        return;
      }
      if (latest.current[event.key]?.() !== false && event.key in latest.current) event.preventDefault();
    };
    addEventListener('keydown', onKey, isFirst);
    return () => removeEventListener('keydown', onKey, isFirst);
  }, []);
}

/** Lets `j` and `k` move between the rows of a list, while the focus is at its side of the page. */
export function useRowKeys(list: RefObject<HTMLElement>, selector = 'a.row'): void {
  const move = (by: number) => (): boolean => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>(selector) ?? [])];
    const side = (document.activeElement ?? document.body).closest('.right');
    if (rows.length === 0 || list.current?.closest('.right') !== side) return false;
    const focused = rows.findIndex((row) => row === document.activeElement);
    const at = focused >= 0 ? focused : rows.findIndex((row) => row.ariaCurrent === 'true');
    rows[Math.min(rows.length - 1, Math.max(0, at + by))]?.focus();
    return true;
  };
  useKeys({ j: move(1), k: move(-1) });
}
