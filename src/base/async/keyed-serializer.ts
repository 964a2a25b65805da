/**
 * Runs the actions of one key one after another, in the order of the calls, and those of different keys in parallel.
 */
export type KeyedSerializer = <T>(key: string, action: () => Promise<T>) => Promise<T>;

/**
 * When an action fails, the actions that wait behind it at that moment fail with the same error, so that no caller
 * waits for one time limit after another.
 */
export function createKeyedSerializer(): KeyedSerializer {
  const last = new Map<string, Promise<unknown>>();
  return async <T>(key: string, action: () => Promise<T>): Promise<T> => {
    const before = last.get(key);
    const work = before === undefined ? action() : before.then(action);
    last.set(key, work);
    try {
      return await work;
    } finally {
      if (last.get(key) === work) last.delete(key);
    }
  };
}
