import type { DocumentStore } from '../stores/documents';

const COLLECTION = 'run-strikes';
/** With this many the run is ended. */
export const MAX_STRIKES = 2;
/** A worker that dies for another reason is a strike against the run that it happened to execute, so strikes expire. */
const STRIKE_LIFE_MS = 3_600_000;

interface Strikes {
  readonly strikes: readonly { readonly id: string; readonly at: number }[];
}

/** How often workers died or stood still while they executed a run, counted by all processes together. */
export interface RunStrikes {
  /**
   * Counts a strike once, however often it is reported and by which process.
   * @returns how many the run has that are not older than an hour. @throws HoldfastError `STORE_UNAVAILABLE`
   */
  add(runId: string, strikeId: string): Promise<number>;
}

export function createRunStrikes(
  documents: Pick<DocumentStore, 'get' | 'write'>,
  now = Date.now,
): RunStrikes {
  return {
    async add(runId, id) {
      for (;;) {
        const found = await documents.get<Strikes>(COLLECTION, runId);
        const at = now();
        const counted = (found?.value.strikes ?? []).filter((strike) => strike.at > at - STRIKE_LIFE_MS);
        if (counted.some((strike) => strike.id === id)) return counted.length;
        const value: Strikes = { strikes: [...counted, { id, at }] };
        const put = { collection: COLLECTION, key: runId, value, ifVersion: found?.version ?? 0 };
        const written = await documents.write([{ type: 'put', ...put, expiresAt: at + STRIKE_LIFE_MS }]);
        if (written) return value.strikes.length;
      }
    },
  };
}
