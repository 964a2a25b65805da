import { AsyncLocalStorage } from 'node:async_hooks';

const used = new Set<AsyncLocalStorage<unknown>>();

/**
 * Remembers the storages that a suite uses, for `disableUsedStorages`. At each promise Node.js passes on the value of
 * every storage of the process that was ever used and never disabled, and each suite brings new ones: jest's and those
 * of the modules that it evaluates anew. So promises became slower from suite to suite.
 */
export function watchStorages(): void {
  AsyncLocalStorage.prototype.run = function (this: AsyncLocalStorage<unknown>, ...args: never[]) {
    used.add(this);
    return Reflect.apply(run, this, args) as never;
  };
}

/** Disables the storages that were used since the last call. One that is used again works as before. */
export function disableUsedStorages(): void {
  for (const storage of used) storage.disable();
  used.clear();
}

const { run } = AsyncLocalStorage.prototype;
