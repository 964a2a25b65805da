/** Values of a run that one process keeps inside history before it keeps small ones only, bytes. */
const INLINE_BYTES = 4 * 1_048_576;
/** Of a run that has used that up, values of this size and above travel by reference, bytes. */
export const SMALL_BYTES = 2_048;
/** Runs that are counted at a time; the one counted first is forgotten first. */
const MAX_RUNS = 10_000;

/**
 * Counts what each run has inside its history. The server ends a run whose history exceeds 50 MB, and a thousand calls of
 * 32 KiB each in and out are more than that; a run of ordinary size never comes near the count.
 */
export class InlineAllowance {
  private readonly used = new Map<string, number>();

  /** @returns whether a value of this size may be inside the history of a run; if so, it is counted */
  take(runId: string | undefined, bytes: number): boolean {
    // The input of a run that has no id yet: there is one for each run.
    if (runId === undefined) return true;
    const used = (this.used.get(runId) ?? 0) + bytes;
    if (used > INLINE_BYTES) return false;
    if (!this.used.has(runId)) this.forgetFirst();
    this.used.set(runId, used);
    return true;
  }

  private forgetFirst(): void {
    if (this.used.size < MAX_RUNS) return;
    const [first] = this.used.keys();
    if (first !== undefined) this.used.delete(first);
  }
}
