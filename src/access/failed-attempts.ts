/** How many attempts of one address may fail in a minute. */
const MAX_FAILURES = 30;
const WINDOW_MS = 60_000;
/** The addresses that are counted at once; beyond them the oldest are forgotten, so that the memory is limited. */
const MAX_ADDRESSES = 10_000;

export interface FailedAttempts {
  /** Counts an attempt that failed. */
  add(address: string): void;
  /** How long an address has to wait, milliseconds; 0 where it need not. */
  waitMs(address: string): number;
}

/** Counts failed attempts by address, in windows of a minute. @param now epoch milliseconds */
export function createFailedAttempts(now: () => number): FailedAttempts {
  const windows = new Map<string, { readonly since: number; readonly count: number }>();
  return {
    add(address) {
      const current = windows.get(address);
      const isOpen = current !== undefined && now() - current.since < WINDOW_MS;
      // It is inserted again at the end, so that the first entry is the one that was used longest ago.
      windows.delete(address);
      windows.set(address, isOpen ? { ...current, count: current.count + 1 } : { since: now(), count: 1 });
      if (windows.size > MAX_ADDRESSES) windows.delete(windows.keys().next().value ?? '');
    },
    waitMs(address) {
      const current = windows.get(address);
      if (current === undefined || current.count < MAX_FAILURES) return 0;
      return Math.max(current.since + WINDOW_MS - now(), 0);
    },
  };
}
