import { type AnyRoute, isStreamRoute } from './route';

/** What a request prefers that starts a run (RFC 7240). */
export interface Preference {
  /** How long the response may wait for the run, milliseconds. */
  readonly waitMs: number;
  /** The value of `Preference-Applied`. */
  readonly applied: string;
}

const MAX_WAIT_S = 3_600;

/** Whether requests of a route may prefer a response before their run has ended. */
export function mayRespondEarly(route: AnyRoute): boolean {
  return !isStreamRoute(route) && route.startsRun === true && route.streamedBody === undefined;
}

/**
 * Reads the `Prefer` header: `respond-async` does not wait for the run, `wait=N` waits for N seconds at most, and both together
 * do the same as `wait=N`. Other preferences, and values that are not valid, count as absent, as RFC 7240 requires.
 */
export function readPreference(route: AnyRoute, header: string | undefined): Preference | undefined {
  if (header === undefined || !mayRespondEarly(route)) return undefined;
  const preferences = header.split(',').map((each) => each.split(';')[0]?.trim().toLowerCase() ?? '');
  const seconds = preferences
    .map((each) => /^wait\s*=\s*"?(\d{1,6})"?$/.exec(each)?.[1])
    .find((each) => each !== undefined);
  const isAsync = preferences.includes('respond-async');
  if (seconds === undefined) return isAsync ? { waitMs: 0, applied: 'respond-async' } : undefined;
  const applied = `${isAsync ? 'respond-async, ' : ''}wait=${seconds}`;
  return { waitMs: Math.min(Number(seconds), MAX_WAIT_S) * 1_000, applied };
}
