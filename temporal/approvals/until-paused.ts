import type { Approval } from '../../src/contracts/http/approvals';
import type { Engine } from '../engine';
import { readHistory } from '../run-events/read-history';
import { RunLog } from '../run-events/run-log';
import type { StartedRun } from '../started-run';

/**
 * Waits until a run waits for a person, by following its history.
 * @returns the approvals that are pending; empty where the run ended, the history cannot be read or the signal aborted
 * first
 */
export async function untilPaused(
  engine: Engine,
  run: StartedRun,
  signal: AbortSignal,
): Promise<readonly Approval[]> {
  const log = new RunLog(run);
  try {
    for await (const page of readHistory(engine, run, { follow: true, signal })) {
      for (const event of page) log.add(event);
      if (log.pendingApprovals.length > 0) return log.pendingApprovals;
    }
  } catch {
    // The request waits for the result too, and reports what is wrong with the server.
  }
  return [];
}
