import type { Engine } from '../../temporal/engine';
import { readRunSteps } from '../../temporal/run-events/read-run-steps';
import type { StepsOfRun } from '../../temporal/run-events/run-steps';
import type { RunRecord } from '../../temporal/runs/run-lookup';

/** Adds its steps and tokens to the record of a run. */
export async function withSteps(engine: Engine, record: RunRecord): Promise<RunRecord & Partial<StepsOfRun>> {
  return { ...record, ...(await readRunSteps(engine, record)) };
}
