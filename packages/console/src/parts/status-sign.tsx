/** The shapes of states: each has a form of its own, so that colour is not needed to tell them apart. */
const SHAPES = {
  running: <circle cx="6" cy="6" r="4.5" fill="currentColor" />,
  waiting: (
    <>
      <circle cx="6" cy="6" r="4.5" fill="none" stroke="currentColor" stroke-width="1.5" />
      <path d="M6 1.5a4.5 4.5 0 0 1 0 9z" fill="currentColor" />
    </>
  ),
  completed: <path d="M2 6.5 5 9.5 10 3" fill="none" stroke="currentColor" stroke-width="1.8" />,
  failed: <path d="m2.5 2.5 7 7m0-7-7 7" fill="none" stroke="currentColor" stroke-width="2" />,
  stopped: (
    <g fill="none" stroke="currentColor" stroke-width="1.5">
      <circle cx="6" cy="6" r="4.5" />
      <path d="m3 9 6-6" />
    </g>
  ),
  none: <circle cx="6" cy="6" r="3" fill="none" stroke="currentColor" stroke-width="1" />,
};

type Kind = keyof typeof SHAPES;

/** The statuses of each kind. */
const STATUSES: readonly (readonly [Kind, readonly string[]])[] = [
  ['running', ['running', 'started', 'queued', 'retrying']],
  ['waiting', ['waiting', 'pending', 'degraded']],
  ['completed', ['completed', 'approved', 'healthy', 'active', 'delivered']],
  ['failed', ['failed', 'timed_out', 'denied', 'unhealthy', 'away']],
  ['stopped', ['cancelled', 'terminated', 'expired', 'paused']],
];

/** What a status of the API looks like. */
export const kindOf = (status: string): Kind =>
  STATUSES.find(([, statuses]) => statuses.includes(status))?.[0] ?? 'none';

/** A status as a shape and a word. */
export function StatusSign({ status, hidden = false }: { status: string; hidden?: boolean }) {
  const kind = kindOf(status);
  return (
    <span class={`sign ${kind}`}>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
        {SHAPES[kind]}
      </svg>
      <span class={hidden ? 'unseen' : undefined}>{status.replaceAll('_', ' ')}</span>
    </span>
  );
}
