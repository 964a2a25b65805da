import { CancelledFailure } from '@temporalio/common';
import { CancellationScope, sleep } from '@temporalio/workflow';
import {
  MAX_IN_FLIGHT_LENGTH,
  MAX_SENT_LENGTH,
  MAX_STARTED_LENGTH,
  MAX_RESULTS_LENGTH,
} from '../../src/contracts/workflow-limits';
import { ResultAllowance, RunTooLargeError } from './result-allowance';

/** The bounds of a run, each in characters of JSON. */
export interface BudgetBounds {
  /** Results that the run keeps and arguments in flight, together. */
  readonly together: number;
  /** Arguments of the calls in flight; a single call may be longer. */
  readonly inFlight: number;
  /** What one workflow task starts or works on; a single call may be longer. */
  readonly inTask: number;
  /** Arguments of all calls of the run. */
  readonly sent: number;
}

/** What the budget needs from its run. */
export interface BudgetPorts {
  /** Resolves in the next workflow task. */
  nextTask(): Promise<unknown>;
  /** Whether the scope that asks for a call is cancelled. */
  isCancelled(): boolean;
}

/** A call before its arguments are built. */
export interface EstimatedCall {
  /** Estimate of the characters of JSON that it will send; with an error, the characters that were read before it. */
  readonly length: number;
  /** Why the call cannot be built. */
  readonly error?: Error;
}

/** A call whose arguments are built. */
export interface BuiltCall<T> {
  /** Characters of JSON of everything that is sent. */
  readonly length: number;
  /** The call is a local activity within the workflow task, so that its result and not its input is in the history. */
  readonly isInline: boolean;
  run(): Promise<T>;
}

/**
 * An inline call with longer arguments takes so much time that its end does not make room within the same workflow
 * task.
 */
const QUICK_LENGTH = 16_384;

const BOUNDS: BudgetBounds = {
  together: MAX_RESULTS_LENGTH,
  inFlight: MAX_IN_FLIGHT_LENGTH,
  inTask: MAX_STARTED_LENGTH,
  sent: MAX_SENT_LENGTH,
};

const IN_RUN: BudgetPorts = {
  // Not cancellable, because a cancelled run must not start everything that waits in one workflow task.
  nextTask: () => CancellationScope.nonCancellable(() => sleep(1)),
  isCancelled: () => CancellationScope.current().consideredCancelled,
};

/**
 * Limits what a run holds in memory and what one of its workflow tasks does, because all runs of a worker share one
 * thread, and the server accepts messages of up to 4 MB. Calls start in the order in which they ask. A call without
 * room waits until others end, or for the next workflow task. While nothing has to wait, the budget adds no command to
 * the history.
 */
export class ByteBudget {
  readonly #bounds: BudgetBounds;
  readonly #ports: BudgetPorts;
  readonly #kept: ResultAllowance;
  /** Length of the lists that forEach steps work through. */
  #held = 0;
  #inFlight = 0;
  #inTask = 0;
  #sent = 0;
  /** Counts how often `#inTask` was reset. */
  #period = 0;
  #nextPeriod: Promise<void> | undefined;
  /** True while a call is at the head of the queue and has not started. */
  #hasHead = false;
  readonly #queue: (() => void)[] = [];
  #onRoom: (() => void) | undefined;
  #closed = false;

  constructor(bounds: BudgetBounds = BOUNDS, ports: BudgetPorts = IN_RUN) {
    this.#bounds = bounds;
    this.#ports = ports;
    this.#kept = new ResultAllowance(bounds.together);
  }

  /**
   * Makes a call as soon as there is room for it, and counts its result. A call that cannot be built fails when there
   * is room for more work; until then no other call is estimated.
   * @param estimate estimates the length of the arguments without building them
   * @param build builds the arguments; called when there is room
   * @param resultOf the part of the outcome that the run keeps
   * @throws RunTooLargeError; CancelledFailure once the budget is closed, or if the call was cancelled while it
   *   waited; the error of the estimate; any error of the call
   */
  async call<T>(
    estimate: () => EstimatedCall,
    build: () => BuiltCall<T>,
    resultOf: (outcome: T) => unknown,
  ): Promise<T> {
    const isFirst = !this.#hasHead;
    this.#hasHead = true;
    if (!isFirst) await new Promise<void>((begin) => this.#queue.push(begin));
    let call: BuiltCall<T>;
    try {
      this.#checkOpen(!isFirst);
      const { length, error } = estimate();
      const waitToBuild = (): Promise<void> | undefined =>
        error === undefined ? this.#waitFor(length) : undefined;
      for (let wait = waitToBuild(); wait !== undefined; wait = waitToBuild()) {
        await wait;
        this.#checkOpen(true);
      }
      try {
        if (error !== undefined) throw error;
        call = build();
      } catch (reason) {
        // Reading the templates took time, though nothing is sent.
        this.countWork(length);
        for (let wait = this.roomForWork(); wait !== undefined; wait = this.roomForWork()) {
          await wait;
          this.#checkOpen(true);
        }
        throw reason;
      }
      this.#take(call.length);
    } finally {
      this.#callNext();
    }
    const period = this.#period;
    let resultLength = 0;
    try {
      const outcome = await call.run();
      resultLength = this.#keep(resultOf(outcome));
      return outcome;
    } finally {
      this.#giveBack(call, period, resultLength);
    }
  }

  /** @returns a promise of room for more work in a workflow task; undefined if there is room already */
  roomForWork(): Promise<void> | undefined {
    return this.#inTask >= this.#bounds.inTask ? this.#untilNextTask() : undefined;
  }

  /** Counts work of this workflow task, in characters that were read or built. */
  countWork(length: number): void {
    this.#inTask += length;
  }

  /** Counts characters as held in memory, until the returned function is called. @throws RunTooLargeError */
  hold(length: number): () => void {
    this.#held += length;
    if (this.#kept.length + this.#held > this.#bounds.together) throw this.#tooLong();
    return () => void (this.#held -= length);
  }

  /** Lets no further call start, because the run has failed. */
  close(): void {
    this.#closed = true;
    this.#onRoom?.();
  }

  #checkOpen(hasWaited: boolean): void {
    if (this.#closed || (hasWaited && this.#ports.isCancelled())) {
      throw new CancelledFailure('The run ended before this call began');
    }
  }

  /**
   * @returns what a call of this length has to wait for; undefined: nothing.
   * @throws RunTooLargeError if no wait helps
   */
  #waitFor(length: number): Promise<void> | undefined {
    const { together, inFlight, inTask, sent } = this.#bounds;
    const occupied = this.#kept.length + this.#held;
    const isTooLong = occupied + length > together;
    const isTooMuch = this.#sent + length > sent;
    const isCrowded =
      this.#inFlight > 0 &&
      (this.#inFlight + length > inFlight || occupied + this.#inFlight + length > together);
    const isBusy = this.#inTask > 0 && this.#inTask + length > inTask;
    if (!(isTooLong || isTooMuch || isCrowded || isBusy)) return undefined;
    if (isTooMuch) {
      throw new RunTooLargeError(
        `the arguments of the run's calls are longer than ${sent} characters of JSON`,
      );
    }
    if (isTooLong) throw this.#tooLong();
    return isCrowded ? new Promise((begin) => (this.#onRoom = begin)) : this.#untilNextTask();
  }

  #tooLong(): RunTooLargeError {
    const { together } = this.#bounds;
    return new RunTooLargeError(
      `the results of the run and what it works on are longer than the ${together} characters of JSON it may keep`,
    );
  }

  #take(length: number): void {
    this.#inFlight += length;
    this.#inTask += length;
    this.#sent += length;
  }

  /** Moves the next call of the queue to its head. */
  #callNext(): void {
    const begin = this.#queue.shift();
    this.#hasHead = begin !== undefined;
    begin?.();
  }

  #keep(result: unknown): number {
    const before = this.#kept.length;
    this.#kept.take(result);
    return this.#kept.length - before;
  }

  /**
   * Returns the room of a call that has ended. The end of a call arrives in a later workflow task than its start,
   * except that of an inline call: its result goes into the history with the same task, so it is counted there.
   */
  #giveBack({ length, isInline }: BuiltCall<unknown>, period: number, resultLength: number): void {
    this.#inFlight -= length;
    if (period === this.#period && !(isInline && length > QUICK_LENGTH)) this.#inTask -= length;
    if (isInline) this.#inTask += resultLength;
    const begin = this.#onRoom;
    this.#onRoom = undefined;
    begin?.();
  }

  #untilNextTask(): Promise<void> {
    this.#nextPeriod ??= this.#ports.nextTask().then(() => {
      this.#inTask = 0;
      this.#period += 1;
      this.#nextPeriod = undefined;
    });
    return this.#nextPeriod;
  }
}
