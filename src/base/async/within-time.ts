/**
 * Resolves as `work` does, or with the result of `late`, by default undefined, once `limitMs` milliseconds have passed, at once
 * if that is negative. `late` may throw. Work that is late continues in the background, and its later failure is not reported as an unhandled rejection.
 */
export async function withinTime<T, L = undefined>(
  work: Promise<T>,
  limitMs: number,
  late: () => L = () => undefined as L,
): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(() => resolve(LATE), Math.max(0, limitMs));
  });
  try {
    // The race also handles a later rejection of `work`.
    const first = await Promise.race([work, limit]);
    return first === LATE ? late() : first;
  } finally {
    clearTimeout(timer);
  }
}

const LATE = Symbol('late');
