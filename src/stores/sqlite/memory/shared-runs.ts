/**
 * Runs a long task, one run at a time. A run serves all callers that requested it before it began; callers that request one
 * during a run share the next run.
 */
export class SharedRuns {
  readonly #run: () => Promise<void>;
  #latest: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(run: () => Promise<void>) {
    this.#run = run;
  }

  /** Resolves when a run that began after the call has ended. Throws what that run throws. */
  request(): Promise<void> {
    this.#next ??= this.#begin(this.#latest);
    return this.#next;
  }

  async #begin(before: Promise<void>): Promise<void> {
    await before.catch(() => undefined);
    this.#latest = this.#next ?? this.#latest;
    this.#next = undefined;
    await this.#run();
  }
}
