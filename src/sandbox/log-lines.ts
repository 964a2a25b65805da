/** The console lines of one evaluation. The guest limits their number and length; this class counts the dropped ones. */
export class LogLines {
  readonly #lines: string[] = [];
  #dropped = 0;

  add(line: string): void {
    this.#lines.push(line);
  }

  drop(): void {
    this.#dropped += 1;
  }

  all(): readonly string[] {
    if (this.#dropped === 0) return this.#lines;
    return [...this.#lines, `(${this.#dropped} more ${this.#dropped === 1 ? 'line' : 'lines'} dropped)`];
  }
}
