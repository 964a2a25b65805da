import {
  condition,
  getExternalWorkflowHandle,
  isCancellation,
  proxyLocalActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { ConversationActivities } from '../../activities/conversation';
import type { EarlierTurn } from '../../src/contracts/runs/turns';
import { notifyWhenDone, turnDone } from './turn-signals';

/** One request takes a turn's place and starts its run, so a turn without a run after this long will never have one. */
const STARTED_WITHIN_MS = 15_000;
const LOOK_AGAIN_MS = 200;
/** The state is read again after this long, because a turn that was terminated sends no signal. */
const ASK_AGAIN_MS = 5_000;
const STATE_LIMIT_MS = 10_000;

/** Waits as older builds did, which asked repeatedly. It is kept for the runs that those builds started. */
export async function untilDoneByPolling(earlier: EarlierTurn): Promise<void> {
  const done = new Set<string>();
  setHandler(turnDone, (workflowId) => void done.add(workflowId));
  let turn: EarlierTurn | undefined = earlier;
  while (turn !== undefined) {
    const { workflowId, placedAt, after }: EarlierTurn = turn;
    const isDone = (): boolean => done.has(workflowId);
    if (isDone()) return;
    const state = (await askToNotify(workflowId)) ? 'running' : await readState(workflowId);
    if (state === 'running') {
      await condition(isDone, ASK_AGAIN_MS);
    } else if (state === 'cut off') {
      // The turn may have been cut off while it waited, so the turn before it is waited for next.
      turn = after;
    } else if (state === 'over' || Date.now() - placedAt > STARTED_WITHIN_MS) {
      return;
    } else {
      await condition(isDone, LOOK_AGAIN_MS);
    }
  }
}

/** Asks a turn to signal its end. @returns false if no such run is open */
async function askToNotify(workflowId: string): Promise<boolean> {
  try {
    await getExternalWorkflowHandle(workflowId).signal(notifyWhenDone, workflowInfo().workflowId);
    return true;
  } catch (error) {
    if (isCancellation(error)) throw error;
    return false;
  }
}

function readState(workflowId: string): ReturnType<ConversationActivities['turnState']> {
  const { turnState } = proxyLocalActivities<Pick<ConversationActivities, 'turnState'>>({
    startToCloseTimeout: STATE_LIMIT_MS,
    summary: 'has the turn before ended?',
  });
  return turnState(workflowId);
}
