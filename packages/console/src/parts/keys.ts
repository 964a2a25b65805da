import { useEffect, useRef } from 'preact/hooks';

/** What keys do. An action that returns false leaves the key to others. */
export type KeyActions = Readonly<Record<string, () => unknown>>;

/** Whether the key is written into a field. */
function isWriting({ target }: KeyboardEvent): boolean {
  return target instanceof HTMLElement && target.matches('input:not([type=checkbox]), textarea, select');
}

/** Calls actions by keys. While a field has the focus only Escape counts, which leaves the field. */
export function useKeys(actions: KeyActions): void {
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
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
