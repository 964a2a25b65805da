import {
  CancellationScope,
  condition,
  defineSignal,
  getExternalWorkflowHandle,
  isCancellation,
  proxyLocalActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { ConversationActivities } from '../activities/conversation';
import type { EarlierTurn } from '../src/contracts/conversations';

/** Asks a turn to tell the next one, by its workflow id, when it has ended. */
const tellWhenOver = defineSignal<[workflowId: string]>('tellWhenOver');
/** Tells that the turn of this workflow id has ended. */
const turnOver = defineSignal<[workflowId: string]>('turnOver');

/** A turn takes its place and is started by the same request: one that is not there so long after never will be. */
const STARTED_WITHIN_MS = 15_000;
const LOOK_AGAIN_MS = 200;
/** A turn that was terminated tells nobody. */
const ASK_AGAIN_MS = 5_000;
const STATE_LIMIT_MS = 10_000;

/**
 * Runs a turn when the one before it in its session has ended, however that ended; turns of a session never run at
 * once. Called once a run, first thing.
 */
export async function inItsTurn<T>(after: EarlierTurn | undefined, run: () => Promise<T>): Promise<T> {
  const waiting: string[] = [];
  setHandler(tellWhenOver, (workflowId) => void waiting.push(workflowId));
  let isWaiting = true;
  try {
    if (after !== undefined) await untilOver(after);
    isWaiting = false;
    return await run();
  } finally {
    await CancellationScope.nonCancellable(async () => {
      // One that is cancelled while it waits lets nobody past those it waits for.
      if (isWaiting && after !== undefined) await untilOver(after);
      await tellAll(waiting);
    });
  }
}

async function untilOver(earlier: EarlierTurn): Promise<void> {
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

/** @returns false where there is no such run, or none that goes on */
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

/** Whoever asks while others are told is told too: the server lets no run end with a signal it has not seen. */
async function tellAll(waiting: readonly string[]): Promise<void> {
  for (let told = 0; told < waiting.length; told += 1) {
    // A turn that is gone needs no telling.
    await getExternalWorkflowHandle(waiting[told] ?? '')
      .signal(turnOver, workflowInfo().workflowId)
      .catch(() => undefined);
  }
}
