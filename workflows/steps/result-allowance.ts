import type { ApplicationFailure } from '@temporalio/common';
import { jsonLength } from '../../src/contracts/json';
import { createFailure } from './failures';

/** A run needs more characters than it may have. Not one step's failure: no step may go on after it. */
export class RunTooLargeError extends Error {
  override readonly name = 'RunTooLargeError';
  readonly failure: ApplicationFailure;
  constructor(message: string) {
    super(message);
    this.failure = createFailure('PAYLOAD_TOO_LARGE', message, {});
  }
}

/** Counts what a run keeps. The length of a result is the same in a replay, so the count is. */
export class ResultAllowance {
  private taken = 0;
  constructor(
    private readonly most: number,
    /** Asked only where the bound is reached: false lets the run continue. */
    private readonly isBound: () => boolean = () => true,
  ) {}

  /** Characters of JSON that were taken. */
  get length(): number {
    return this.taken;
  }

  /** @throws RunTooLargeError */
  take(result: unknown): void {
    this.taken += jsonLength(result, this.most);
    if (this.taken > this.most && this.isBound()) {
      throw new RunTooLargeError(
        `the results of the run are longer than the ${this.most} characters of JSON it may keep`,
      );
    }
  }
}
