import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useKeys } from './keys';

interface SplitProps {
  /** What is at the left, as assistive technology names it. */
  readonly label: string;
  readonly list: ComponentChildren;
  /** What is open at the right; undefined: nothing. */
  readonly detail?: ComponentChildren;
  /** Names what is open: the focus moves to the detail when it changes. */
  readonly detailKey?: string | undefined;
  readonly detailLabel?: string;
  readonly onClose: () => void;
}

/** The one layout of all panes: a list at the left, what is open at the right, and on a phone one after the other. */
export function Split({ label, list, detail, detailKey, detailLabel = 'Detail', onClose }: SplitProps) {
  const right = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useKeys(detailKey === undefined ? {} : { Escape: onClose });
  useEffect(() => {
    // A page that is opened by its address keeps the focus where a reader starts.
    if (detailKey !== undefined && !isFirst.current) right.current?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [detailKey]);
  const isOpen = detailKey !== undefined;
  return (
    <div class={isOpen ? 'split open' : 'split'}>
      <section class="left" aria-label={label}>
        {list}
      </section>
      {isOpen && (
        <section class="right" aria-label={detailLabel} tabIndex={-1} ref={right}>
          <button type="button" class="close" onClick={onClose} title="Esc">
            <span class="wide">Close</span>
            <span class="narrow">‹ Back</span>
          </button>
          {detail}
        </section>
      )}
    </div>
  );
}
