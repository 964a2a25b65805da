/** A request's texts, and what has come of them. */
export interface Job {
  readonly texts: readonly string[];
  readonly vectors: Float32Array[];
  /** The first call counts; later ones change nothing. */
  settle(outcome: Float32Array[] | Error): void;
}

/**
 * Hands out one text at a time, and by turns where several requests wait: a search is not kept waiting until a long
 * list is done.
 */
export class TextQueue {
  private jobs: Job[] = [];
  private current: Job | undefined;

  /** Texts that have no vector yet. */
  get waiting(): number {
    return this.jobs.reduce((sum, { texts, vectors }) => sum + texts.length - vectors.length, 0);
  }

  add(job: Job): void {
    this.jobs.push(job);
  }

  remove(job: Job): void {
    this.jobs = this.jobs.filter((other) => other !== job);
  }

  /** The text to embed next; undefined where none waits, or the last one is not answered yet. */
  next(): string | undefined {
    if (this.current !== undefined) return undefined;
    this.current = this.jobs[0];
    return this.current?.texts[this.current.vectors.length];
  }

  /** Takes what the text handed out last has come to. That its request may have gone meanwhile changes nothing. */
  answer(outcome: Float32Array | Error): void {
    const job = this.current;
    this.current = undefined;
    if (job === undefined || !this.jobs.includes(job)) return;
    this.remove(job);
    if (outcome instanceof Error) return job.settle(outcome);
    job.vectors.push(outcome);
    if (job.vectors.length === job.texts.length) job.settle(job.vectors);
    else this.add(job);
  }

  /** Settles every job with the error. */
  fail(error: Error): void {
    const jobs = this.jobs;
    this.jobs = [];
    this.current = undefined;
    for (const job of jobs) job.settle(error);
  }
}
