import { isHoldfastError } from '../base/errors';
import type { Metrics, StoreName } from '../base/metrics';
import { wrapMethods } from './wrap-methods';

/** Wraps a store so that each operation that fails with `STORE_UNAVAILABLE` is counted under `name`. */
export function countedFailures<S extends object>(store: S, name: StoreName, metrics: Metrics): S {
  if (!metrics.enabled) return store;
  const count = (error: unknown): void => {
    if (isHoldfastError(error) && error.code === 'STORE_UNAVAILABLE') metrics.storeFailed(name);
  };
  return wrapMethods(store, (_name, call) => (...args) => {
    const result = call(...args);
    if (result instanceof Promise) result.catch(count);
    return isGenerator(result) ? countFailuresOf(result, count) : result;
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
