/**
 * Runs of something that takes long, one at a time. A run serves all who asked for it before it began: those who ask
 * during one share the next.
 */
export class SharedRuns {
  readonly #run: () => Promise<void>;
  #latest: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(run: () => Promise<void>) {
    this.#run = run;
  }

  /** Resolves when a run that began after the call has ended. Throws what the run throws. */
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
