import type { ApplicationFailure } from '@temporalio/common';
import { jsonLength } from '../src/contracts/json';
import { createFailure } from './tool-failures';

/** The results of a run are more than it can keep. Not one step's failure: no step may go on after it. */
export class ResultsTooLargeError extends Error {
  override readonly name = 'ResultsTooLargeError';
  readonly failure: ApplicationFailure;
  constructor(most: number) {
    super(`the results of the run are longer than the ${most} characters of JSON it may keep`);
    this.failure = createFailure('PAYLOAD_TOO_LARGE', this.message, {});
  }
}

/** Counts what a run keeps. The length of a result is the same in a replay, so the count is. */
export class ResultAllowance {
  private taken = 0;
  constructor(private readonly most: number) {}

  /** @throws ResultsTooLargeError */
  take(result: unknown): void {
    this.taken += jsonLength(result);
    if (this.taken > this.most) throw new ResultsTooLargeError(this.most);
  }
}
