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

/** Counts the results that a run keeps. Lengths of results are the same in a replay, so the count is deterministic. */
export class ResultAllowance {
  readonly #max: number;
  readonly #isBound: () => boolean;
  #taken = 0;

  /**
   * @param max characters of JSON
   * @param isBound called only where the limit is reached; false lets the run continue
   */
  constructor(max: number, isBound: () => boolean = () => true) {
    this.#max = max;
    this.#isBound = isBound;
  }

  /** Characters of JSON that were taken. */
  get length(): number {
    return this.#taken;
  }

  /** @throws RunTooLargeError */
  take(result: unknown): void {
    this.#taken += jsonLength(result, this.#max);
    if (this.#taken > this.#max && this.#isBound()) {
      throw new RunTooLargeError(
        `the results of the run are longer than the ${this.#max} characters of JSON it may keep`,
      );
    }
  }
}
