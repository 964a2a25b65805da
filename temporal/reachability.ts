/** Looks in a row that fail before a server counts as away. */
const FAILURES = 3;

/** Whether a server is there, by looks at it now and then. */
export interface Reachability {
  note(answered: boolean): void;
  isReachable(): boolean;
}

/**
 * One look that comes back late says that the server is busy and not that it is away, so it takes several in a row; one that is
 * answered is enough to be back.
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
