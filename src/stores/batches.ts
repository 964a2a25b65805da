interface Pending<T> {
  readonly item: T;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Group commit: one commit at a time, and what arrives while it is under way goes into the next one together.
 * `commit` gets the items in the order they were added, `mostPerBatch` at most.
 *
 * The returned function resolves when the commit that holds its item has, and rejects with its error.
 */
export function createBatches<T>(
  commit: (items: readonly T[]) => Promise<void>,
  mostPerBatch: number,
): (item: T) => Promise<void> {
  let waiting: Pending<T>[] = [];
  let running = false;

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, mostPerBatch);
      waiting = waiting.slice(mostPerBatch);
      try {
        await commit(batch.map(({ item }) => item));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    running = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (running) return;
      running = true;
      // Not at once, so that calls made in one go share the first batch as well.
      setImmediate(() => void run());
    });
}
