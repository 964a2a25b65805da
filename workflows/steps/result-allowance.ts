import type { ApplicationFailure } from '@temporalio/common';
import { jsonLength } from '../../src/contracts/json-length';
import { createFailure } from './failures';

/** A run exceeds its limit of characters. It is not the failure of a single step, so no step may continue after it. */
export class RunTooLargeError extends Error {
  override readonly name = 'RunTooLargeError';
  readonly failure: ApplicationFailure;
  constructor(message: string) {
    super(message);
    this.failure = createFailure('PAYLOAD_TOO_LARGE', message, {});
  }
}

/** Counts the results or texts that a run keeps. Their lengths are the same in a replay, so the count is deterministic. */
export class ResultAllowance {
  readonly #max: number;
  readonly #what: string;
  #taken = 0;

  /**
   * @param max characters of JSON
   * @param what names what is counted, in the error
   */
  constructor(max: number, what = 'results of the run') {
    this.#max = max;
    this.#what = what;
  }

  /** Characters of JSON that were taken. */
  get length(): number {
    return this.#taken;
  }

  /** @throws RunTooLargeError */
  take(result: unknown): void {
    this.#taken += jsonLength(result, this.#max);
    if (this.#taken > this.#max) {
      throw new RunTooLargeError(
        `the ${this.#what} are longer than the ${this.#max} characters of JSON it may keep`,
      );
    }
  }
}
