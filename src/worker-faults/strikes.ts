import type { DocumentStore } from '../stores/documents';
import { createTally, type TallyFigures, type TallyStore } from './tally';

const COLLECTION = 'run-strikes';
/** A run with this many strikes is ended. */
export const MAX_STRIKES = 2;
/** A worker that dies for another reason causes a strike against the run that it happens to execute, so strikes expire. */
const STRIKE_LIFE_MS = 3_600_000;

export type StrikeStore = Pick<DocumentStore, 'get' | 'write'>;

interface Strikes {
  /** The workflow task of all the strikes. */
  readonly task: string;
  readonly strikes: readonly { readonly id: string; readonly at: number }[];
}

/** Counts how often workers died or hung while they executed a run, or could not continue it, over all processes. */
export interface RunStrikes {
  /**
   * Counts a strike once, even if it is reported several times or by several processes. Workflow code repeats the same
   * task in the same way, so a run that has completed the task since an earlier strike did not cause that strike.
   *
   * @param task names the workflow task that the strike is about; strikes of other tasks of the run are forgotten
   * @returns the number of the task's strikes that are at most one hour old. @throws HoldfastError `STORE_UNAVAILABLE`
   */
  add(runId: string, task: string, strikeId: string): Promise<number>;
}

export function createRunStrikes(documents: StrikeStore, now = Date.now): RunStrikes {
  return {
    async add(runId, task, id) {
      for (;;) {
        const document = await documents.get<Strikes>(COLLECTION, runId);
        const at = now();
        const earlier = document?.value.task === task ? document.value.strikes : [];
        const counted = earlier.filter((strike) => strike.at > at - STRIKE_LIFE_MS);
        if (counted.some((strike) => strike.id === id)) return counted.length;
        const value: Strikes = { task, strikes: [...counted, { id, at }] };
        const put = { collection: COLLECTION, key: runId, value, ifVersion: document?.version ?? 0 };
        const written = await documents.write([{ type: 'put', ...put, expiresAt: at + STRIKE_LIFE_MS }]);
        if (written) return value.strikes.length;
      }
    },
  };
}

export interface WorkerFaults {
  readonly abnormalEnds: TallyFigures;
  readonly endedRuns: TallyFigures;
}

/** Reads the counted faults of the workers of all processes. @throws HoldfastError `STORE_UNAVAILABLE` */
export async function readWorkerFaults(documents: TallyStore): Promise<WorkerFaults> {
  const [abnormalEnds, endedRuns] = await Promise.all([
    createTally(documents, 'abnormal-ends').read(),
    createTally(documents, 'ended-runs').read(),
  ]);
  return { abnormalEnds, endedRuns };
}
