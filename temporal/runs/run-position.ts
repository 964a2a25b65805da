/** The place of a run in the order of lists. */
export interface RunPosition {
  /** When the run started, epoch microseconds. */
  readonly started: number;
  readonly runId: string;
}

/** Orders runs newest first; runs that started at once are in the order of their ids. Pure. */
export function comparePositions(one: RunPosition, other: RunPosition): number {
  if (one.started !== other.started) return other.started - one.started;
  if (one.runId === other.runId) return 0;
  return one.runId < other.runId ? -1 : 1;
}

interface Timestamp {
  readonly seconds?: unknown;
  readonly nanos?: number | null;
}

/** Converts a time of the server to epoch microseconds, which is the precision of its SQL stores. Pure. */
export function toMicros(time: Timestamp | null | undefined): number {
  return Number(time?.seconds ?? 0) * 1_000_000 + Math.floor((time?.nanos ?? 0) / 1_000);
}

/** Writes epoch microseconds as ISO 8601. Pure. */
export function formatMicros(micros: number): string {
  const text = new Date(Math.floor(micros / 1_000)).toISOString();
  return `${text.slice(0, -1)}${String(micros % 1_000).padStart(3, '0')}Z`;
}
