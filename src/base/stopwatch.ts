/** Milliseconds since it was made, to the microsecond. */
export function stopwatch(): () => number {
  const started = performance.now();
  return () => Math.round((performance.now() - started) * 1_000) / 1_000;
}
