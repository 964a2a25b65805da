import { createTally, type TallyFigures, type TallyStore } from './tally';

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
