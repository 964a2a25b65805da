/**
 * Starts a stopwatch.
 * @returns a function that returns the milliseconds since the start, with a resolution of a microsecond
 */
export function stopwatch(): () => number {
  const started = performance.now();
  return () => Math.round((performance.now() - started) * 1_000) / 1_000;
}
