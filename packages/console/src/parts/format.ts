const UNITS = [
  ['day', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** Says how long ago a time was, as in `12 s ago`. */
export function formatAgo(at: number, now: number): string {
  const ms = now - at;
  // The clocks of the service and of the browser may differ.
  if (Math.abs(ms) < 1_000) return 'now';
  const [unit, size] = UNITS.find(([, each]) => Math.abs(ms) >= each) ?? UNITS[3];
  const count = Math.floor(Math.abs(ms) / size);
  const text = `${count} ${unit}${unit === 'day' && count > 1 ? 's' : ''}`;
  return ms > 0 ? `${text} ago` : `in ${text}`;
}

/** A duration with three digits or so: `240 ms`, `12.4 s`, `3 min 20 s`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  const at = UNITS.findIndex(([, size]) => ms >= size);
  const [unit, size] = UNITS[at] ?? UNITS[3];
  const [smallerUnit, smaller] = UNITS[at + 1] ?? UNITS[3];
  const rest = Math.floor((ms % size) / smaller);
  return `${Math.floor(ms / size)} ${unit}${rest === 0 ? '' : ` ${rest} ${smallerUnit}`}`;
}

export const formatNumber = (value: number): string => value.toLocaleString('en-US');

/** Money in US dollars; small sums keep two digits that are not zero. */
export function formatMoney(usd: number): string {
  if (usd === 0 || usd >= 0.1) return `$${usd.toFixed(2)}`;
  const digits = Math.min(20, 1 - Math.floor(Math.log10(usd)));
  return `$${usd.toFixed(digits)}`;
}

interface Took {
  readonly startedAt: string;
  /** Null while it runs. */
  readonly closedAt: string | null;
}

/** How long a run took, or has taken by now. */
export const formatTook = ({ startedAt, closedAt }: Took, now = 0): string =>
  formatDuration((closedAt === null ? now : Date.parse(closedAt)) - Date.parse(startedAt));
