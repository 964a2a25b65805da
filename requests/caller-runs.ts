import type { Caller } from '../src/access/caller';
import { memoryErasing } from '../src/stores/memory/errors';
import type { RunClient } from '../temporal/runs/run-client';

/** Starts runs that belong to their caller. */
export interface CallerRuns extends RunClient {
  /** Checks that a caller may start a run now. @throws HoldfastError `MEMORY_ERASING` */
  checkCaller(caller: Caller): Promise<void>;
}

/**
 * Refuses runs of a caller of one user while that user is erased, because the erasure has to find all runs of the user. Turns of
 * conversations check the user that they name by themselves, and the erasure itself is not the user's run.
 */
export function refuseWhileErasing(
  client: RunClient,
  isErasing: (userId: string) => Promise<boolean>,
): CallerRuns {
  return {
    ...client,
    async checkCaller({ userId }) {
      if (userId !== undefined && (await isErasing(userId))) throw memoryErasing();
    },
  };
}
