import {
  type ActivityOptions,
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
import {
  type EarlierTurn,
  PLACE_GIVEN_UP_AFTER_MS,
  PLACE_LONG_PAST_MS,
} from '../../src/contracts/runs/turns';
import { notifyWhenDone, turnDone } from './turn-signals';

type TurnActivities = Pick<ConversationActivities, 'turnState' | 'turnChange'>;

const STATE_LIMIT_MS = 10_000;
const SUMMARY = 'has the turn before ended?';
/**
 * The state of a running turn is polled, because a terminated turn sends no signal; the longer it runs, the less often.
 */
const POLL_RUNNING: ActivityOptions['retry'] = {
  initialInterval: 5_000,
  backoffCoefficient: 1.2,
  maximumInterval: 20_000,
};
/** A turn that took its place is polled often, because its run starts within milliseconds unless its API was killed. */
const POLL_FOR_START: ActivityOptions['retry'] = {
  initialInterval: 200,
  backoffCoefficient: 2,
  maximumInterval: 2_000,
};

/**
 * Waits until a turn and all turns before it have ended, or are known never to start. Each wait adds the same number of
 * events to the history, however long it takes.
 */
export async function untilAllDone(earlier: EarlierTurn): Promise<void> {
  const done = new Set<string>();
  setHandler(turnDone, (workflowId) => void done.add(workflowId));
  for (let turn: EarlierTurn | undefined = earlier; turn !== undefined; turn = turn.after) {
    const { workflowId } = turn;
    // A turn that signals its end has waited for all turns before it. A turn that ended without a signal may have ended
    // while it waited, and a finished turn may have a second place because its request was repeated; so the loop
    // continues.
    if (await waitForEnd(turn, () => done.has(workflowId))) return;
  }
}

/**
 * Waits until a turn has ended.
 * @returns true if it signalled its end; false if it ended without a signal, or will never start
 */
async function waitForEnd(turn: EarlierTurn, hasSignalled: () => boolean): Promise<boolean> {
  if (!(await askToNotify(turn))) {
    if ((await waitForStart(turn)) !== 'running') return hasSignalled();
    await askToNotify(turn);
  }
  if (hasSignalled()) return true;
  const polling = new CancellationScope();
  const ended = polling.run(() => pollForChange(turn, 'running', POLL_RUNNING));
  try {
    await Promise.race([condition(hasSignalled), ended]);
  } finally {
    polling.cancel();
  }
  return hasSignalled();
}

/** Waits for the run of a turn that has taken its place and may not have started. @returns the state of the run */
async function waitForStart({ workflowId, placedAt }: EarlierTurn): Promise<RunState> {
  const { turnState } = proxyLocalActivities<TurnActivities>({
    startToCloseTimeout: STATE_LIMIT_MS,
    summary: SUMMARY,
  });
  const state = await turnState(workflowId, placedAt);
  // The turn took its place before this run started, so its time limit is counted from that start, by the server's
  // clock alone.
  const until = Math.min(
    workflowInfo().startTime.getTime() + PLACE_GIVEN_UP_AFTER_MS,
    placedAt + PLACE_LONG_PAST_MS,
  );
  if (state !== 'unknown' || Date.now() >= until) return state;
  return pollForChange({ workflowId, placedAt }, 'unknown', POLL_FOR_START, until);
}

/** Waits until the state of a turn differs from `state`, by an activity that is retried until then. */
function pollForChange(
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

/** Asks a turn to signal its end. @returns false if no such run is open */
async function askToNotify({ workflowId }: EarlierTurn): Promise<boolean> {
  try {
    await getExternalWorkflowHandle(workflowId).signal(notifyWhenDone, workflowInfo().workflowId);
    return true;
  } catch (error) {
    if (isCancellation(error)) throw error;
    return false;
  }
}
