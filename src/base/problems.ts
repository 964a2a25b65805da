import { type HoldfastError, isHoldfastError } from './errors';
import type { ErrorCode } from './error-codes';

/**
 * Runs a check that finds problems one after another, up to the first one.
 * @returns what the check returns
 * @throws HoldfastError the first problem
 */
export function throwFirst<T>(problems: Generator<HoldfastError, T>): T {
  const first = problems.next();
  if (first.done === true) return first.value;
  throw first.value;
}

/** As `throwFirst`, for a check that waits. */
export async function throwFirstOf<T>(problems: AsyncGenerator<HoldfastError, T>): Promise<T> {
  const first = await problems.next();
  if (first.done === true) return first.value;
  throw first.value;
}

/** Runs a check that throws its only problem, an error of the code. @returns what it returns; undefined after a problem */
export function* problemOf<T>(code: ErrorCode, check: () => T): Generator<HoldfastError, T | undefined> {
  try {
    return check();
  } catch (error) {
    if (!isHoldfastError(error) || error.code !== code) throw error;
    yield error;
    return undefined;
  }
}
