import { CancellationScope, getExternalWorkflowHandle, setHandler, workflowInfo } from '@temporalio/workflow';
import type { EarlierTurn } from '../../src/contracts/runs/turns';
import { untilAllDone } from './earlier-turns';
import { noteBeginning } from '../steps/run-attributes';
import { notifyWhenDone, turnDone } from './turn-signals';

/**
 * Runs a turn when all earlier turns of its session have ended, with or without success. Turns of a session never run
 * at once. A run calls this once, before anything else.
 */
export async function afterEarlierTurns<T>(
  after: EarlierTurn | undefined,
  run: () => Promise<T>,
): Promise<T> {
  const asking: string[] = [];
  setHandler(notifyWhenDone, (workflowId) => void asking.push(workflowId));
  let isWaiting = true;
  try {
    if (after !== undefined) await untilAllDone(after);
    isWaiting = false;
    noteBeginning();
    return await run();
  } finally {
    await CancellationScope.nonCancellable(async () => {
      // A turn that is cancelled while it waits continues to wait, so that no later turn runs at the same time as
      // earlier ones.
      if (isWaiting && after !== undefined) await untilAllDone(after);
      await notifyAll(asking);
    });
  }
}

/**
 * Signals each turn once, all of them in parallel. A turn that asks meanwhile is signalled too, because the server does
 * not close a run with unhandled signals.
 */
async function notifyAll(asking: readonly string[]): Promise<void> {
  const notified = new Set<string>();
  for (let seen = 0; seen < asking.length;) {
    const next = [...new Set(asking.slice(seen))].filter((workflowId) => !notified.has(workflowId));
    seen = asking.length;
    for (const workflowId of next) notified.add(workflowId);
    await Promise.all(next.map(notify));
  }
}

async function notify(workflowId: string): Promise<void> {
  // The signal fails if the turn has ended meanwhile, and then no run needs it.
  await getExternalWorkflowHandle(workflowId)
    .signal(turnDone, workflowInfo().workflowId)
    .catch(() => undefined);
}
