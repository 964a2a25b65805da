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
import { tellWhenOver, turnOver } from './turn-signals';

/** A turn takes its place and is started by the same request: one that is not there so long after never will be. */
const STARTED_WITHIN_MS = 15_000;
const LOOK_AGAIN_MS = 200;
/** A turn that was terminated sends no signal. */
const ASK_AGAIN_MS = 5_000;
const STATE_LIMIT_MS = 10_000;

/** As builds before this one waited, which asked again and again; for runs that they began. */
export async function untilOverByPolling(earlier: EarlierTurn): Promise<void> {
  const told = new Set<string>();
  setHandler(turnOver, (workflowId) => void told.add(workflowId));
  let turn: EarlierTurn | undefined = earlier;
  while (turn !== undefined) {
    const { workflowId, placedAt, after }: EarlierTurn = turn;
    const isTold = (): boolean => told.has(workflowId);
    if (isTold()) return;
    const state = (await ask(workflowId)) ? 'running' : await stateOf(workflowId);
    if (state === 'running') {
      await condition(isTold, ASK_AGAIN_MS);
    } else if (state === 'cut off') {
      // It may have been waiting itself.
      turn = after;
    } else if (state === 'over' || Date.now() - placedAt > STARTED_WITHIN_MS) {
      return;
    } else {
      await condition(isTold, LOOK_AGAIN_MS);
    }
  }
}

/** @returns false where there is no such run, or none that is open */
async function ask(workflowId: string): Promise<boolean> {
  try {
    await getExternalWorkflowHandle(workflowId).signal(tellWhenOver, workflowInfo().workflowId);
    return true;
  } catch (error) {
    if (isCancellation(error)) throw error;
    return false;
  }
}

function stateOf(workflowId: string): ReturnType<ConversationActivities['turnState']> {
  const { turnState } = proxyLocalActivities<Pick<ConversationActivities, 'turnState'>>({
    startToCloseTimeout: STATE_LIMIT_MS,
    summary: 'has the turn before ended?',
  });
  return turnState(workflowId);
}
