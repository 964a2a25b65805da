/**
 * What `work` comes to, or what `late` returns once `limitMs` milliseconds have passed. `late` may throw. Work that is late is left
 * to end by itself, and its later failure is no unhandled rejection.
 */
export async function withinTime<T, L = undefined>(
  work: Promise<T>,
  limitMs: number,
  late: () => L,
): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(() => resolve(LATE), limitMs);
  });
  try {
    // The race also handles a later rejection of the loser.
    const first = await Promise.race([work, limit]);
    return first === LATE ? late() : first;
  } finally {
    clearTimeout(timer);
  }
}

const LATE = Symbol('late');
