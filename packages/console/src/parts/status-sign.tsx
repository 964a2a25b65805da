import type { JSX } from 'preact';

/** The shapes of states: each has a form of its own, so that colour is not needed to tell them apart. */
const SHAPES: Readonly<Record<string, JSX.Element>> = {
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

export type Kind = 'running' | 'waiting' | 'completed' | 'failed' | 'stopped' | 'none';

const KINDS: Readonly<Record<string, Kind>> = {
  running: 'running',
  started: 'running',
  queued: 'running',
  retrying: 'running',
  waiting: 'waiting',
  pending: 'waiting',
  degraded: 'waiting',
  completed: 'completed',
  approved: 'completed',
  healthy: 'completed',
  active: 'completed',
  delivered: 'completed',
  failed: 'failed',
  timed_out: 'failed',
  denied: 'failed',
  unhealthy: 'failed',
  away: 'failed',
  cancelled: 'stopped',
  terminated: 'stopped',
  expired: 'stopped',
  paused: 'stopped',
};

/** What a status of the API looks like. */
export const kindOf = (status: string): Kind => KINDS[status] ?? 'none';

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
