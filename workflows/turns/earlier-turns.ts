import type { ActivityOptions } from '@temporalio/workflow';
import {
  CancellationScope,
  condition,
  getExternalWorkflowHandle,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { ConversationActivities, RunState } from '../../activities/conversation';
import type { EarlierTurn } from '../../src/contracts/runs/turns';
import { PLACE_GIVEN_UP_AFTER_MS, PLACE_LONG_PAST_MS } from '../../src/contracts/runs/session-line';
import { tellWhenOver, turnOver } from './turn-signals';

type TurnActivities = Pick<ConversationActivities, 'turnState' | 'turnChange'>;

const STATE_LIMIT_MS = 10_000;
const SUMMARY = 'has the turn before ended?';
/** A turn that was terminated does not tell that it has ended. The longer it took, the rarer it is looked at. */
const LOOK_AT_RUNNING: ActivityOptions['retry'] = {
  initialInterval: 5_000,
  backoffCoefficient: 1.2,
  maximumInterval: 20_000,
};
/** A turn that has a place is started within milliseconds, or its API was killed. */
const LOOK_FOR_START: ActivityOptions['retry'] = {
  initialInterval: 200,
  backoffCoefficient: 2,
  maximumInterval: 2_000,
};

/**
 * Waits until a turn and all those before it have ended, or are known never to start. Each wait costs the history the same number
 * of events, however long it takes.
 */
export async function untilAllOver(earlier: EarlierTurn): Promise<void> {
  const over = new Set<string>();
  setHandler(turnOver, (workflowId) => void over.add(workflowId));
  for (let turn: EarlierTurn | undefined = earlier; turn !== undefined; turn = turn.after) {
    const { workflowId } = turn;
    // A turn that tells has waited for those before it. One that ended otherwise may have been waiting itself, and a finished
    // one may have a place again because its request was repeated.
    if (await tellsItsEnd(turn, () => over.has(workflowId))) return;
  }
}

/** @returns whether the turn has signalled its end; false: it has ended without a signal, or will never be started */
async function tellsItsEnd(turn: EarlierTurn, hasTold: () => boolean): Promise<boolean> {
  if (!(await ask(turn))) {
    if ((await stateOnceKnown(turn)) !== 'running') return hasTold();
    await ask(turn);
  }
  if (hasTold()) return true;
  const looking = new CancellationScope();
  const ended = looking.run(() => changeOf(turn, 'running', LOOK_AT_RUNNING));
  try {
    await Promise.race([condition(hasTold), ended]);
  } finally {
    looking.cancel();
  }
  return hasTold();
}

/** Waits for a turn that has a place and is not there yet. */
async function stateOnceKnown({ workflowId, placedAt }: EarlierTurn): Promise<RunState> {
  const { turnState } = proxyLocalActivities<TurnActivities>({
    startToCloseTimeout: STATE_LIMIT_MS,
    summary: SUMMARY,
  });
  const state = await turnState(workflowId, placedAt);
  // The place was taken before this run's own, so before the start of this run: only the server's clock is compared.
  const until = Math.min(
    workflowInfo().startTime.getTime() + PLACE_GIVEN_UP_AFTER_MS,
    placedAt + PLACE_LONG_PAST_MS,
  );
  if (state !== 'unknown' || Date.now() >= until) return state;
  return changeOf({ workflowId, placedAt }, 'unknown', LOOK_FOR_START, until);
}

function changeOf(
  { workflowId, placedAt }: EarlierTurn,
  state: 'running' | 'unknown',
  retry: ActivityOptions['retry'],
  until?: number,
): Promise<RunState> {
  const { turnChange } = proxyActivities<TurnActivities>({
    startToCloseTimeout: STATE_LIMIT_MS,
    retry: retry ?? {},
    summary: SUMMARY,
  });
  return turnChange({ workflowId, placedAt, state, until });
}

/** @returns false where there is no such run, or one that has ended */
async function ask({ workflowId }: EarlierTurn): Promise<boolean> {
  try {
    await getExternalWorkflowHandle(workflowId).signal(tellWhenOver, workflowInfo().workflowId);
    return true;
  } catch (error) {
    if (isCancellation(error)) throw error;
    return false;
  }
}
