import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Action = () => Promise<unknown>;

/** What a bench has started and is to take down, also when it is interrupted. */
export class Unwinding {
  readonly #begun = new AbortController();
  readonly #actions: (() => Promise<void>)[] = [];

  /** Aborts when the bench is interrupted: nothing is to be started any more. */
  get signal(): AbortSignal {
    return this.#begun.signal;
  }

  /** @returns the action, for whoever ends in order; it is done once, and a repeat waits for that */
  add(action: Action): () => Promise<void> {
    let done: Promise<void> | undefined;
    const once = (): Promise<void> => (done ??= action().then(() => undefined));
    this.#actions.push(once);
    return once;
  }

  /** Last in, first out; one that fails is told and keeps none of the others. What is added meanwhile is taken down too. */
  async unwind(): Promise<void> {
    this.#begun.abort(new Error('the bench was interrupted'));
    for (let action = this.#actions.pop(); action !== undefined; action = this.#actions.pop()) {
      await action().catch((error: unknown) => console.error(error));
    }
  }
}

/** Of this process. */
export const unwinding = new Unwinding();

/** A new folder for a bench, which removes it in the end. */
export function makeBenchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
  unwinding.add(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
