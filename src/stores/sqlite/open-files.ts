/** A file that can be closed between two operations. The next operation opens it again. */
interface Releasable {
  release(): void;
}

/** Limits how many files are open at once, because a process has a limited number of file descriptors. */
export class OpenFiles {
  readonly #max: number;
  /** In the order of their last use. */
  readonly #files = new Set<Releasable>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Notes that a file is used now, and closes the one that was not used for the longest time if there are too many. */
  use(file: Releasable): void {
    this.#files.delete(file);
    this.#files.add(file);
    if (this.#files.size <= this.#max) return;
    for (const oldest of this.#files) {
      this.#files.delete(oldest);
      oldest.release();
      return;
    }
  }
}
