/** How many wrong keys of one address and key id are answered in a minute as usual. */
const MAX_FAILURES = 30;
const WINDOW_MS = 60_000;
/** The pairs that are counted at once; beyond them the oldest are forgotten, so that the memory is limited. */
const MAX_PAIRS = 10_000;

export interface FailedAttempts {
  /**
   * Counts a wrong key.
   * @param keyId the id that the key names; empty if it names none
   * @returns how long the sender should wait, milliseconds; 0 if it need not
   */
  add(address: string, keyId: string): number;
}

/** Counts wrong keys by address and key id, in windows of a minute. @param now milliseconds of a clock that never goes back */
export function createFailedAttempts(now: () => number = () => performance.now()): FailedAttempts {
  const windows = new Map<string, { readonly since: number; readonly count: number }>();
  return {
    add(address, keyId) {
      const pair = `${address} ${keyId}`;
      const lastWindow = windows.get(pair);
      const isOpen = lastWindow !== undefined && now() - lastWindow.since < WINDOW_MS;
      const { since, count } = isOpen ? lastWindow : { since: now(), count: 0 };
      // It is inserted again at the end, so that the first entry is the one that was used longest ago.
      windows.delete(pair);
      windows.set(pair, { since, count: count + 1 });
      if (windows.size > MAX_PAIRS) windows.delete(windows.keys().next().value ?? '');
      return count < MAX_FAILURES ? 0 : since + WINDOW_MS - now();
    },
  };
}
