export interface KeptListPorts<T> {
  /** The version of the stored state now; the writes that made it need not be visible yet. */
  readonly version: () => Promise<number>;
  /** The version of the stored state once all writes up to it are visible. */
  readonly settledVersion: () => Promise<number>;
  readonly read: () => Promise<readonly T[]>;
  /** Whether a list is too long to be kept; absent: none is. */
  readonly isTooLong?: (list: readonly T[]) => boolean;
}

/**
 * Creates a reader of a list that is kept in memory for as long as its state has the same version. Every change of the list
 * gives the state a version that it never had. Callers who ask at the same time share a reading. The list that is returned is
 * the same object until it is read again.
 */
export function createKeptList<T>(ports: KeptListPorts<T>): () => Promise<readonly T[]> {
  const { isTooLong = () => false } = ports;
  let latest: { readonly version: number; readonly list: Promise<readonly T[]> } | undefined;

  return async () => {
    if (latest?.version === (await ports.version())) return latest.list;
    const version = await ports.settledVersion();
    // A list that is read while another process writes is of an earlier version than the one that the next caller finds.
    if (latest?.version !== version) {
      const reading = { version, list: ports.read() };
      const forget = (): void => {
        if (latest === reading) latest = undefined;
      };
      latest = reading;
      reading.list.then((list) => {
        if (isTooLong(list)) forget();
      }, forget);
    }
    return latest.list;
  };
}
