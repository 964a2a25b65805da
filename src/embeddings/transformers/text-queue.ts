/** The texts of a request, and their vectors so far. */
export interface Job {
  readonly texts: readonly string[];
  readonly vectors: Float32Array[];
  /** Completes the request. Only the first call has an effect. */
  complete(outcome: Float32Array[] | Error): void;
}

/**
 * Hands out one text at a time, round-robin where several requests wait, so that a search does not wait until a long list of texts
 * is done.
 */
export class TextQueue {
  #jobs: Job[] = [];
  #current: Job | undefined;

  /** The number of texts that have no vector yet. */
  get waiting(): number {
    return this.#jobs.reduce((sum, { texts, vectors }) => sum + texts.length - vectors.length, 0);
  }

  add(job: Job): void {
    this.#jobs.push(job);
  }

  remove(job: Job): void {
    this.#jobs = this.#jobs.filter((other) => other !== job);
  }

  /** Hands out the next text; undefined where no text waits, or the last one has no answer yet. */
  next(): string | undefined {
    if (this.#current !== undefined) return undefined;
    this.#current = this.#jobs[0];
    return this.#current?.texts[this.#current.vectors.length];
  }

  /** Receives the answer to the text that was handed out last. It is ignored where the request was removed meanwhile. */
  answer(outcome: Float32Array | Error): void {
    const job = this.#current;
    this.#current = undefined;
    if (job === undefined || !this.#jobs.includes(job)) return;
    this.remove(job);
    if (outcome instanceof Error) return job.complete(outcome);
    job.vectors.push(outcome);
    if (job.vectors.length === job.texts.length) job.complete(job.vectors);
    else this.add(job);
  }

  /** Completes all requests with the error. */
  fail(error: Error): void {
    const jobs = this.#jobs;
    this.#jobs = [];
    this.#current = undefined;
    for (const job of jobs) job.complete(error);
  }
}
