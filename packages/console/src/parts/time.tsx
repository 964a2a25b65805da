import { signal } from '@preact/signals';
import { formatAgo } from './format';

/** The present time, which changes each second while the page is visible. */
export const now = signal(Date.now());
setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, 1_000);

/** A time of the API, relative to now, and exact on hover. */
export function Time({ at }: { at: string | undefined }) {
  if (at === undefined) return <span class="quiet">not yet</span>;
  return (
    <time dateTime={at} title={at}>
      {formatAgo(Date.parse(at), now.value)}
    </time>
  );
}
