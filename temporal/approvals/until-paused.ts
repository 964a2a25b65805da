import type { Approval } from '../../src/contracts/http/approvals';
import type { Engine } from '../engine';
import { mayBeOfApproval } from '../run-events/logged-events';
import { readHistory } from '../run-events/read-history';
import { RunLog } from '../run-events/run-log';
import type { StartedRun } from '../runs/started-run';
import { findApproval } from './read-approval';

/**
 * Waits until a run waits for a person, by following its history.
 * @returns the approvals that are pending; empty if the run ended, the history cannot be read or the signal aborted
 * first
 */
export async function untilPaused(
  engine: Engine,
  taskQueue: string,
  run: StartedRun,
  signal: AbortSignal,
): Promise<readonly Approval[]> {
  const log = new RunLog(run);
  try {
    for await (const page of readHistory(engine, run, { follow: true, signal, needs: mayBeOfApproval })) {
      for (const event of page) log.add(event);
      const pending = await stillPending(engine, taskQueue, log.pendingApprovals);
      if (pending.length > 0) return pending;
    }
  } catch {
    // The request waits for the result too, and reports what is wrong with the server.
  }
  return [];
}

/** The answer to an approval may be on a later page of the history, so each is looked up. */
async function stillPending(
  engine: Engine,
  taskQueue: string,
  approvals: readonly Approval[],
): Promise<readonly Approval[]> {
  const now = await Promise.all(
    approvals.map((known) =>
      findApproval(engine, taskQueue, known.id).then(
        ({ approval }) => approval,
        () => known,
      ),
    ),
  );
  return now.filter(({ status }) => status === 'pending');
}
