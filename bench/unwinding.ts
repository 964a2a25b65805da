import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Action = () => Promise<unknown>;

/** Stops what a bench has started, also when the bench is interrupted. */
export class Unwinding {
  readonly #begun = new AbortController();
  readonly #actions: (() => Promise<void>)[] = [];

  /** Aborts when the bench is interrupted. The bench must not start anything after that. */
  get signal(): AbortSignal {
    return this.#begun.signal;
  }

  /**
   * Registers an action that stops something.
   * @returns a function for a caller that stops it earlier. The action runs once, and further calls wait for it
   */
  add(action: Action): () => Promise<void> {
    let done: Promise<void> | undefined;
    const once = (): Promise<void> => (done ??= action().then(() => undefined));
    this.#actions.push(once);
    return once;
  }

  /**
   * Runs all actions, the last registered first, also those registered meanwhile. An action that fails is printed,
   * and the others still run.
   */
  async unwind(): Promise<void> {
    this.#begun.abort(new Error('the bench was interrupted'));
    for (let action = this.#actions.pop(); action !== undefined; action = this.#actions.pop()) {
      await action().catch((error: unknown) => console.error(error));
    }
  }
}

/** The actions of this process. */
export const unwinding = new Unwinding();

/** Makes a temporary folder for a bench, and registers its removal. */
export function makeBenchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
  unwinding.add(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
