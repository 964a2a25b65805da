interface Pending<T> {
  readonly item: T;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Group commit: one commit runs at a time, and the items that arrive meanwhile share the next one. `commit` gets at most
 * `maxPerBatch` items, in the order in which they were added.
 *
 * The returned function adds an item. It resolves when the commit of the item resolves, and rejects with its error.
 */
export function createBatches<T>(
  commit: (items: readonly T[]) => Promise<void>,
  maxPerBatch: number,
): (item: T) => Promise<void> {
  let waiting: Pending<T>[] = [];
  let running = false;

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxPerBatch);
      waiting = waiting.slice(maxPerBatch);
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
      // The first commit is delayed, so that calls in the same iteration of the event loop share it.
      setImmediate(() => void run());
    });
}
