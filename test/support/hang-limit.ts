import { runInNewContext } from 'node:vm';

/** Work in proportion to its input takes a fraction of a second, also on a busy machine; quadratic work takes minutes. */
const HANG_LIMIT_MS = 20_000;

/**
 * Runs synchronous work, returns its result, and throws if it hangs. No timer of a test could end such work,
 * because it never yields the event loop. Give it inputs of hundreds of thousands of characters, for which work that
 * grows with the square of the input takes far longer than the limit.
 */
export function withHangLimit<T>(work: () => T): T {
  return runInNewContext('work()', { work }, { timeout: HANG_LIMIT_MS }) as T;
}
