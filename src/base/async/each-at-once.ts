import { setImmediate as nextIteration } from 'node:timers/promises';

/**
 * Runs `work` for each item, up to `atOnce` items at the same time. Items are taken from the iterable only when they
 * are started, and other tasks may run in between, since an item may take long to make. After a failure no further item
 * is started, and the started ones are waited for.
 * @throws the error of the first failure
 */
export async function eachAtOnce<T>(
  items: Iterable<T>,
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  const rest = items[Symbol.iterator]();
  const workOnItems = async (): Promise<void> => {
    try {
      for (let next = rest.next(); next.done !== true && failures.length === 0; next = rest.next()) {
        await work(next.value);
      }
    } catch (error) {
      failures.push(error);
    }
  };
  const workers: Promise<void>[] = [];
  for (let at = 0; at < atOnce; at += 1) {
    workers.push(workOnItems());
    await nextIteration();
  }
  await Promise.all(workers);
  if (failures.length > 0) throw failures[0];
}
