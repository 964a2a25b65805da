import { CancelledFailure } from '@temporalio/common';
import { CancellationScope, patched, sleep } from '@temporalio/workflow';
import {
  MAX_IN_FLIGHT_LENGTH,
  MAX_SENT_LENGTH,
  MAX_STARTED_LENGTH,
  MAX_RESULTS_LENGTH,
} from '../../src/contracts/workflow-limits';
import { ComparisonWork, MAX_COMPARED } from '../../src/templates/comparison-work';
import { ResultAllowance, RunTooLargeError } from './result-allowance';

/** Characters of JSON. */
export interface BudgetBounds {
  /** Results that are kept and arguments in flight together. */
  readonly together: number;
  /** Arguments of the calls that are under way; one call alone may be longer. */
  readonly inFlight: number;
  /** What one workflow task starts or works on; one call alone may be longer. */
  readonly inTask: number;
  /** Arguments of all calls of the run. */
  readonly sent: number;
}

/** What the budget needs of the run that it belongs to. */
export interface BudgetPorts {
  /** Ends with the next workflow task. */
  nextTask(): Promise<unknown>;
  /** False in a replay of a run that began before there was a budget. Asked only where a bound is reached. */
  isBound(): boolean;
  /** The same of the bound of results alone, which some kinds of runs had before. */
  isResultBound(): boolean;
  /** Whether what asks for a call is cancelled. */
  isCancelled(): boolean;
}

/** What is known of a call before its arguments are built. */
export interface EstimatedCall {
  /** About how many characters of JSON it will send; where there is an error, how many were read before it. */
  readonly length: number;
  /** Why it cannot be built. */
  readonly error?: Error;
}

/** A call whose arguments are built. */
export interface BuiltCall<T> {
  /** Characters of JSON of all that is sent. */
  readonly length: number;
  /** It runs within the workflow task, so that its result and not its input becomes part of the history. */
  readonly isLight: boolean;
  run(): Promise<T>;
}

/** Longer arguments of a light call take time that their end does not give back within the same workflow task. */
const QUICK_LENGTH = 16_384;

const BOUNDS: BudgetBounds = {
  together: MAX_RESULTS_LENGTH,
  inFlight: MAX_IN_FLIGHT_LENGTH,
  inTask: MAX_STARTED_LENGTH,
  sent: MAX_SENT_LENGTH,
};

const IN_RUN: BudgetPorts = {
  // A run that is cancelled must not start all that waits in one task.
  nextTask: () => CancellationScope.nonCancellable(() => sleep(1)),
  isBound: () => patched('byte-budget'),
  isResultBound: () => true,
  isCancelled: () => CancellationScope.current().consideredCancelled,
};

/** Of the kinds of runs whose results were not bound before there was a budget. */
const RESULTS_ONCE_UNBOUND: BudgetPorts = { ...IN_RUN, isResultBound: IN_RUN.isBound };

/**
 * The one allowance of a run for what it has in memory, and for what a single workflow task does: all runs of a worker share
 * one thread, and the server takes messages of 4 MB. Calls are started in the order in which they ask; one for which there
 * is no room waits until others end, or for the next workflow task. Where nothing has to wait, it adds no command.
 */
export class ByteBudget {
  private readonly kept: ResultAllowance;
  /** Lists that steps work through. */
  private held = 0;
  private inFlight = 0;
  private inTask = 0;
  private sent = 0;
  /** Counts the times that `inTask` was set back. */
  private period = 0;
  private nextPeriod: Promise<void> | undefined;
  /** Some call is at the head of the line and has not started. */
  private hasHead = false;
  private readonly line: (() => void)[] = [];
  private onRoom: (() => void) | undefined;
  private closed = false;

  constructor(
    private readonly bounds: BudgetBounds = BOUNDS,
    private readonly ports: BudgetPorts = IN_RUN,
  ) {
    this.kept = new ResultAllowance(bounds.together, () => ports.isResultBound());
  }

  /** The budget of a run of tools alone, whose results were not bound before there was a budget. */
  static ofTools(): ByteBudget {
    return new ByteBudget(BOUNDS, RESULTS_ONCE_UNBOUND);
  }

  /**
   * Makes a call as soon as there is room for it, and keeps its result. A call that cannot be built ends when there is room
   * for more work: until then no other call is estimated.
   * @param estimate about how long its arguments will be, counted without building them
   * @param build builds them; called when there is room
   * @param resultOf the part of the outcome that the run keeps
   * @throws RunTooLargeError; CancelledFailure once the budget is closed, or where the call was cancelled while it waited; the
   *   error of the estimate; what the call throws
   */
  async call<T>(
    estimate: () => EstimatedCall,
    build: () => BuiltCall<T>,
    resultOf: (outcome: T) => unknown,
  ): Promise<T> {
    const isFirst = !this.hasHead;
    this.hasHead = true;
    if (!isFirst) await new Promise<void>((begin) => this.line.push(begin));
    let call: BuiltCall<T>;
    try {
      this.checkOpen(!isFirst);
      const { length, error } = estimate();
      const waitToBuild = (): Promise<void> | undefined =>
        error === undefined ? this.waitFor(length) : undefined;
      for (let wait = waitToBuild(); wait !== undefined; wait = waitToBuild()) {
        await wait;
        this.checkOpen(true);
      }
      try {
        if (error !== undefined) throw error;
        call = build();
      } catch (reason) {
        // What was read for it took time, though nothing is sent.
        this.countWork(length);
        for (let wait = this.roomForWork(); wait !== undefined; wait = this.roomForWork()) {
          await wait;
          this.checkOpen(true);
        }
        throw reason;
      }
      this.take(call.length);
    } finally {
      this.callNext();
    }
    const { period } = this;
    let resultLength = 0;
    try {
      const outcome = await call.run();
      resultLength = this.keep(resultOf(outcome));
      return outcome;
    } finally {
      this.giveBack(call, period, resultLength);
    }
  }

  /** Until there is room for work in a workflow task; undefined where there is. */
  roomForWork(): Promise<void> | undefined {
    return this.inTask >= this.bounds.inTask && this.ports.isBound() ? this.untilNextTask() : undefined;
  }

  /** What a condition counts its work with. */
  comparison(): ComparisonWork {
    return new ComparisonWork(MAX_COMPARED, () => this.ports.isBound());
  }

  /** Counts work that was done in this workflow task, in characters that were read or built. */
  countWork(length: number): void {
    this.inTask += length;
  }

  /** Counts what is in memory until the function that it returns is called. @throws RunTooLargeError */
  hold(length: number): () => void {
    this.held += length;
    if (this.kept.length + this.held > this.bounds.together && this.ports.isBound()) throw this.tooLong();
    return () => void (this.held -= length);
  }

  /** Lets nothing start any more: the run is over. */
  close(): void {
    this.closed = true;
    this.onRoom?.();
  }

  private checkOpen(hasWaited: boolean): void {
    if (this.closed || (hasWaited && this.ports.isCancelled())) {
      throw new CancelledFailure('The run ended before this call began');
    }
  }

  /** @returns what a call of this length has to wait for. @throws RunTooLargeError where no waiting helps */
  private waitFor(length: number): Promise<void> | undefined {
    const { together, inFlight, inTask, sent } = this.bounds;
    const occupied = this.kept.length + this.held;
    const isTooLong = occupied + length > together;
    const isTooMuch = this.sent + length > sent;
    const isCrowded =
      this.inFlight > 0 &&
      (this.inFlight + length > inFlight || occupied + this.inFlight + length > together);
    const isBusy = this.inTask > 0 && this.inTask + length > inTask;
    if (!(isTooLong || isTooMuch || isCrowded || isBusy) || !this.ports.isBound()) return undefined;
    if (isTooMuch) {
      throw new RunTooLargeError(
        `the arguments of the run's calls are longer than ${sent} characters of JSON`,
      );
    }
    if (isTooLong) throw this.tooLong();
    return isCrowded ? new Promise((begin) => (this.onRoom = begin)) : this.untilNextTask();
  }

  private tooLong(): RunTooLargeError {
    const { together } = this.bounds;
    return new RunTooLargeError(
      `the results of the run and what it works on are longer than the ${together} characters of JSON it may keep`,
    );
  }

  private take(length: number): void {
    this.inFlight += length;
    this.inTask += length;
    this.sent += length;
  }

  /** The next in line goes to its head. */
  private callNext(): void {
    const begin = this.line.shift();
    this.hasHead = begin !== undefined;
    begin?.();
  }

  private keep(result: unknown): number {
    const before = this.kept.length;
    this.kept.take(result);
    return this.kept.length - before;
  }

  /**
   * The end of a call is delivered in a later workflow task than its start, unless it is light: then its result goes into the
   * history of the same task.
   */
  private giveBack({ length, isLight }: BuiltCall<unknown>, period: number, resultLength: number): void {
    this.inFlight -= length;
    if (period === this.period && !(isLight && length > QUICK_LENGTH)) this.inTask -= length;
    if (isLight) this.inTask += resultLength;
    const begin = this.onRoom;
    this.onRoom = undefined;
    begin?.();
  }

  private untilNextTask(): Promise<void> {
    this.nextPeriod ??= this.ports.nextTask().then(() => {
      this.inTask = 0;
      this.period += 1;
      this.nextPeriod = undefined;
    });
    return this.nextPeriod;
  }
}
