import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Runs `work` for each item, so many at once. An item is asked for when its turn has come, and other things may run
 * in between, as an item may take long to make. After a failure no other is begun, and those under way are waited
 * for.
 * @throws what the first failure threw
 */
export async function eachAtOnce<T>(
  items: Iterable<T>,
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  const rest = items[Symbol.iterator]();
  const lane = async (): Promise<void> => {
    try {
      for (let next = rest.next(); next.done !== true && failures.length === 0; next = rest.next()) {
        await work(next.value);
      }
    } catch (error) {
      failures.push(error);
    }
  };
  const lanes: Promise<void>[] = [];
  for (let at = 0; at < atOnce; at += 1) {
    lanes.push(lane());
    await nextTurn();
  }
  await Promise.all(lanes);
  if (failures.length > 0) throw failures[0];
}
