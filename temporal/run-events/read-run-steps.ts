import type { Engine } from '../engine';
import type { RunRecord } from '../runs/run-lookup';
import { PendingSteps } from './pending-steps';
import { readStepLog } from './read-log';
import { type StepsOfRun, toRunSteps } from './run-steps';

const LIMIT_MS = 5_000;
/**
 * Reads the steps of a run from its history.
 * @returns empty if the history cannot be read in time, because a record without its steps is better than no record
 */
export async function readRunSteps(
  engine: Engine,
  { workflowId, runId, closedAt }: RunRecord,
): Promise<Partial<StepsOfRun>> {
  const run = { workflowId, runId };
  try {
    const { events, open } = await readStepLog(engine, run, AbortSignal.timeout(LIMIT_MS));
    const hasEnded = closedAt !== null;
    const signs = hasEnded ? [] : await new PendingSteps(engine, run).look(() => open).catch(() => []);
    return toRunSteps(events, signs, hasEnded);
  } catch {
    return {};
  }
}
