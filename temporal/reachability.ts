/** How many checks in a row have to fail before a server counts as away. */
const FAILURES = 3;

/** Decides by regular checks whether a server can be reached. */
export interface Reachability {
  /** Records the outcome of a check. */
  note(answered: boolean): void;
  isReachable(): boolean;
}

/**
 * A single check without an answer may only mean that the server is busy, so the server counts as away after several
 * in a row. One answered check is enough for it to count as reachable again.
 */
export function createReachability(): Reachability {
  let failures = FAILURES;
  return {
    note(answered) {
      failures = answered ? 0 : failures + 1;
    },
    isReachable: () => failures < FAILURES,
  };
}
