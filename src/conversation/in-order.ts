/** Runs the actions of one key one after another, in the order of the calls, and those of different keys at once. */
export type InOrder = <T>(key: string, action: () => Promise<T>) => Promise<T>;

/**
 * Where an action fails, those that wait behind it at that moment fail with the same error, so that nothing waits for
 * one limit after another.
 */
export function createOrder(): InOrder {
  const last = new Map<string, Promise<unknown>>();
  return async <T>(key: string, action: () => Promise<T>): Promise<T> => {
    const before = last.get(key);
    const own = before === undefined ? action() : before.then(action);
    last.set(key, own);
    try {
      return await own;
    } finally {
      if (last.get(key) === own) last.delete(key);
    }
  };
}
