/** The number of resources that keep an event loop alive, by kind, such as `Timeout` or `TCPServerWrap`. */
export type Resources = ReadonlyMap<string, number>;

const POLL_MS = 10;

/** Opens the streams of this process. Node.js does so at their first use, which must not count as a test's doing. */
export const openStreams = (): unknown => [process.stdout, process.stderr];

/** The resources that keep this process alive now. Timers and handles that are `unref`ed do not. */
export function activeResources(): Resources {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/**
 * Waits until no kind of resource is there more often than before, because a socket or a process takes a moment to
 * close.
 *
 * @param allowed kinds that may be left
 * @returns what is still there after `limitMs`, as in `2 × TCPSocketWrap`
 */
export async function leftResources(
  before: Resources,
  limitMs: number,
  allowed: ReadonlySet<string> = new Set(),
): Promise<string[]> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    // The timer of the pause below is gone only after the iteration of the event loop that it ends.
    await new Promise((resolve) => setImmediate(resolve));
    const left = [...activeResources()].flatMap(([kind, count]) => {
      const more = kind === 'Immediate' || allowed.has(kind) ? 0 : count - (before.get(kind) ?? 0);
      return more > 0 ? [`${more} × ${kind}`] : [];
    });
    if (left.length === 0 || performance.now() > deadline) return left;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
