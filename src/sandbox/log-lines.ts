/** The console lines of one evaluation. The guest bounds their number and length; this counts what it dropped. */
export class LogLines {
  private readonly lines: string[] = [];
  private dropped = 0;

  add(line: string): void {
    this.lines.push(line);
  }

  drop(): void {
    this.dropped += 1;
  }

  all(): readonly string[] {
    if (this.dropped === 0) return this.lines;
    return [...this.lines, `(${this.dropped} more ${this.dropped === 1 ? 'line' : 'lines'} dropped)`];
  }
}
