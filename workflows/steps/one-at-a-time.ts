/**
 * Runs the local activities of a run one after another. Of several at once, the SDK reports the ends one by one at first and
 * together in a replay. The code behind them then continues in another order, and the run no longer fits its history.
 */
export class OneAtATime {
  #isBusy = false;
  readonly #queue: (() => void)[] = [];

  /**
   * Starts an activity, after those that asked before it. It is started at once if none is running, without a further
   * microtask and without an event in the history.
   */
  run<T>(start: () => Promise<T>): Promise<T> {
    return this.#isBusy ? this.#beginLater(start) : this.#begin(start);
  }

  async #beginLater<T>(start: () => Promise<T>): Promise<T> {
    await new Promise<void>((begin) => this.#queue.push(begin));
    return this.#begin(start);
  }

  #begin<T>(start: () => Promise<T>): Promise<T> {
    this.#isBusy = true;
    const running = start();
    // This comes before the code that waits for the activity, so that this code may start the next one at once.
    const end = (): void => this.#handOver();
    running.then(end, end);
    return running;
  }

  #handOver(): void {
    const next = this.#queue.shift();
    if (next === undefined) this.#isBusy = false;
    else next();
  }
}
