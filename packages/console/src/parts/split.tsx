import { type ComponentChildren, Fragment } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { go } from '../address';
import type { Changes } from '../hash';
import { useKeys } from './keys';

interface SplitProps {
  /** What is at the left, as assistive technology names it. */
  readonly label: string;
  readonly list: ComponentChildren;
  /** Names what is open at the right, which gets the focus when it changes; undefined: nothing. */
  readonly open?: string | undefined;
  readonly detail?: (open: string) => ComponentChildren;
  readonly detailLabel?: string;
  /** What the address loses when it is closed. */
  readonly closed: Changes;
}

/** The one layout of all panes: a list at the left, what is open at the right, and on a phone one after the other. */
export function Split({ label, list, open, detail, detailLabel = 'Detail', closed }: SplitProps) {
  const right = useRef<HTMLElement>(null);
  const left = useRef<HTMLElement>(null);
  /** What was open before; null when the page is opened. */
  const before = useRef<string | null | undefined>(null);
  const close = (): void => go(closed);
  useKeys(open === undefined ? {} : { Escape: close });
  useEffect(() => {
    const opener = left.current?.querySelector<HTMLElement>(
      `[data-opens="${CSS.escape(before.current ?? '')}"]`,
    );
    // A page that is opened by its address keeps the focus where a reader starts.
    if (open !== undefined && before.current !== null) right.current?.focus({ preventScroll: true });
    // The focus is lost with the detail that had it.
    if (open === undefined && document.activeElement === document.body) opener?.focus();
    before.current = open;
  }, [open]);
  return (
    <div class={open !== undefined ? 'split open' : 'split'}>
      <section class="left" aria-label={label} ref={left}>
        {list}
      </section>
      {open !== undefined && (
        <section class="right" aria-label={detailLabel} tabIndex={-1} ref={right}>
          <button type="button" class="close" onClick={close} title="Esc">
            <span class="wide">Close</span>
            <span class="narrow">‹ Back</span>
          </button>
          <Fragment key={open}>{detail?.(open)}</Fragment>
        </section>
      )}
    </div>
  );
}
