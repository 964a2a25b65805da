import { isHoldfastError } from '../base/errors';
import type { Metrics, StoreName } from '../base/metrics';

/** Wraps a store so that each operation that fails with `STORE_UNAVAILABLE` is counted under `name`. */
export function countedFailures<S extends object>(store: S, name: StoreName, metrics: Metrics): S {
  if (!metrics.enabled) return store;
  const count = (error: unknown): void => {
    if (isHoldfastError(error) && error.code === 'STORE_UNAVAILABLE') metrics.storeFailed(name);
  };
  return new Proxy(store, {
    get(target, property) {
      const member: unknown = Reflect.get(target, property, target);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        // The method is called on the store and not on the proxy, because a store has private fields.
        const result: unknown = Reflect.apply(member, target, args);
        if (result instanceof Promise) result.catch(count);
        return isGenerator(result) ? countFailuresOf(result, count) : result;
      };
    },
  });
}

function isGenerator(result: unknown): result is AsyncGenerator {
  return typeof result === 'object' && result !== null && Symbol.asyncIterator in result;
}

async function* countFailuresOf(
  items: AsyncIterable<unknown>,
  count: (error: unknown) => void,
): AsyncGenerator {
  try {
    yield* items;
  } catch (error) {
    count(error);
    throw error;
  }
}
