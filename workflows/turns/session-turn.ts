import {
  CancellationScope,
  getExternalWorkflowHandle,
  patched,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { EarlierTurn } from '../../src/contracts/runs/turns';
import { untilAllOver } from './earlier-turns';
import { untilOverByPolling } from './earlier-turns-polled';
import { tellWhenOver, turnOver } from './turn-signals';

/** Runs that an older build began wait and tell as that build did. */
const WITHOUT_POLLING = 'session-without-polling';

/**
 * Runs a turn when all those before it in its session have ended, however they ended; turns of a session never run at
 * once. Called once a run, first thing.
 */
export async function inItsTurn<T>(after: EarlierTurn | undefined, run: () => Promise<T>): Promise<T> {
  const asking: string[] = [];
  setHandler(tellWhenOver, (workflowId) => void asking.push(workflowId));
  let isWaiting = true;
  try {
    if (after !== undefined) await untilOver(after);
    isWaiting = false;
    return await run();
  } finally {
    await CancellationScope.nonCancellable(async () => {
      // A turn that is cancelled while it waits lets none behind it run beside those that it waits for.
      if (isWaiting && after !== undefined) await untilOver(after);
      await tellAll(asking);
    });
  }
}

function untilOver(after: EarlierTurn): Promise<void> {
  return patched(WITHOUT_POLLING) ? untilAllOver(after) : untilOverByPolling(after);
}

/**
 * Signals each turn once, all of them in parallel. A turn that asks meanwhile gets a signal too: the server lets no run end with a signal
 * that it has not seen.
 */
async function tellAll(asking: readonly string[]): Promise<void> {
  const isOnceEach = asking.length > 0 && patched(WITHOUT_POLLING);
  const told = new Set<string>();
  for (let seen = 0; seen < asking.length;) {
    const next = asking.slice(seen, isOnceEach ? asking.length : seen + 1);
    seen += next.length;
    const each = isOnceEach ? [...new Set(next)].filter((workflowId) => !told.has(workflowId)) : next;
    for (const workflowId of each) told.add(workflowId);
    await Promise.all(each.map(tell));
  }
}

async function tell(workflowId: string): Promise<void> {
  // A turn that is gone needs no telling.
  await getExternalWorkflowHandle(workflowId)
    .signal(turnOver, workflowInfo().workflowId)
    .catch(() => undefined);
}
