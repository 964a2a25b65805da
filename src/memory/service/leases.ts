/** A share in something that several use. */
export interface Lease<T> {
  readonly value: T;
  /** May be called twice. The last release of all closes the thing, and resolves when that is done. */
  release(): Promise<void>;
}

/** Things that are dear to open, one for each setting, open for as long as anybody holds them. */
export interface Leases<S, T> {
  lease(settings: S): Lease<T>;
  /** Closes all that is open, whoever holds it. Nothing may be leased afterwards. */
  close(): Promise<void>;
}

interface Entry<T> {
  readonly value: T;
  holders: number;
}

/** @param open what it throws, `lease` throws */
export function createLeases<S, T>(
  open: (settings: S) => T,
  close: (value: T) => Promise<void>,
): Leases<S, T> {
  const entries = new Map<string, Entry<T>>();
  const closing = new Set<Promise<void>>();

  async function end(value: T): Promise<void> {
    const ending = close(value).finally(() => closing.delete(ending));
    closing.add(ending);
    return ending;
  }

  return {
    lease(settings) {
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
          await end(entry.value);
        },
      };
    },
    async close() {
      const open = [...entries.values()];
      entries.clear();
      await Promise.all([...closing, ...open.map(({ value }) => end(value))]);
    },
  };
}
