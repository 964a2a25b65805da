import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type Changes, formatHash, parseHash, type Place, withChanges } from './hash';

/** What the address of the page names. All that is seen follows from it, so that a link shows a colleague the same. */
export const place = signal<Place>(parseHash(location.hash));

addEventListener('hashchange', () => (place.value = parseHash(location.hash)));

/** The address of the present pane with some parameters changed. */
export function hrefWith(changes: Changes): string {
  const { pane, params } = place.value;
  return formatHash({ pane, params: withChanges(params, changes) });
}

/** The address of a pane. */
export function hrefOf(pane: string, params: Changes = {}): string {
  return formatHash({ pane, params: withChanges({}, params) });
}

/**
 * Changes what the address names, in the present pane.
 * @param replace true: the Back button does not return to the present state, as while a filter is written
 */
export function go(changes: Changes, { replace = false } = {}): void {
  goTo(hrefWith(changes), { replace });
}

/** Returns `go` for answers that come late: it does nothing once the part of the page is gone that asked. */
export function useGo(): typeof go {
  const isHere = useRef(true);
  useEffect(() => () => void (isHere.current = false), []);
  return (...change) => {
    if (isHere.current) go(...change);
  };
}

export function goTo(href: string, { replace = false } = {}): void {
  if (href === location.hash) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', href);
  place.value = parseHash(href);
}
