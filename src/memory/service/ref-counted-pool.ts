/** One caller's share of a value that several callers use. */
export interface PoolHandle<T> {
  readonly value: T;
  /** May be called twice. The release of the last handle closes the value, and resolves when it is closed. */
  release(): Promise<void>;
}

/**
 * Values that are expensive to open: one for each setting, which stays open as long as a caller holds a handle of it.
 */
export interface RefCountedPool<S, T> {
  acquire(settings: S): PoolHandle<T>;
  /** Closes all open values, also those with handles. Nothing may be acquired afterwards. */
  close(): Promise<void>;
}

interface Entry<T> {
  readonly value: T;
  holders: number;
}

/** @param open opens the value of a setting; `acquire` throws what it throws */
export function createRefCountedPool<S, T>(
  open: (settings: S) => T,
  close: (value: T) => Promise<void>,
): RefCountedPool<S, T> {
  const entries = new Map<string, Entry<T>>();
  const closing = new Set<Promise<void>>();

  async function closeValue(value: T): Promise<void> {
    const ending = close(value).finally(() => closing.delete(ending));
    closing.add(ending);
    return ending;
  }

  return {
    acquire(settings) {
      const key = JSON.stringify(settings);
      const entry = entries.get(key) ?? { value: open(settings), holders: 0 };
      entries.set(key, entry);
      entry.holders += 1;
      let held = true;
      return {
        value: entry.value,
        async release() {
          if (!held) return;
          held = false;
          entry.holders -= 1;
          if (entry.holders > 0 || entries.get(key) !== entry) return;
          entries.delete(key);
          await closeValue(entry.value);
        },
      };
    },
    async close() {
      const open = [...entries.values()];
      entries.clear();
      await Promise.all([...closing, ...open.map(({ value }) => closeValue(value))]);
    },
  };
}
