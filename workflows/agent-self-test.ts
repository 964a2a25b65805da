import { ApplicationFailure, ChildWorkflowFailure } from '@temporalio/common';
import {
  CancellationScope,
  ParentClosePolicy,
  executeChild,
  isCancellation,
  sleep,
  startChild,
  uuid4,
  workflowInfo,
} from '@temporalio/workflow';
import type {
  AgentTurnInput,
  SelfTestInput,
  SelfTestOutcome,
  SelfTestResult,
} from '../src/contracts/runs/agent';
import { childErasureId } from '../src/contracts/runs/memory';
import type { agentTurn } from './agent-turn';
import type { eraseUserMemories } from './erase-user-memories';
import { memorySteps } from './steps/memory-steps';
import { showProgress } from './steps/progress';
import { stepFailure } from './turns/turn-steps';

/** The report waits up to this long for the erasure to begin, and then for it to end, in milliseconds. */
const ERASURE_BEGINS_WITHIN_MS = 15_000;
const ERASURE_ENDS_WITHIN_MS = 30_000;

/**
 * Runs the turns in the order given, as a user would take them, and then erases what they left, even after a failure.
 */
export async function agentSelfTest({ turns, userId }: SelfTestInput): Promise<SelfTestResult> {
  let reason: string | undefined;
  const outcomes = await takeTurns(turns).finally(async () => {
    reason = await CancellationScope.nonCancellable(() => eraseTestMemories(userId));
  });
  return { outcomes, leftBehind: reason === undefined ? undefined : { userId, reason } };
}

async function takeTurns(turns: SelfTestInput['turns']): Promise<SelfTestOutcome[]> {
  const steps = turns.map(({ description }, index) => ({ step: `turn ${index + 1}`, what: description }));
  const progress = showProgress(steps.map((step) => ({ ...step, state: 'waiting' })));
  const outcomes: SelfTestOutcome[] = [];
  for (const [index, { turn, description }] of turns.entries()) {
    const step = { step: `turn ${index + 1}`, what: description };
    progress.note({ ...step, state: 'running' });
    const outcome = await takeTurn(turn, description, index + 1);
    progress.note({ ...step, state: 'error' in outcome ? 'failed' : 'completed' });
    outcomes.push(outcome);
  }
  return outcomes;
}

async function takeTurn(turn: AgentTurnInput, description: string, number: number): Promise<SelfTestOutcome> {
  const { workflowId, typedSearchAttributes } = workflowInfo();
  try {
    const result = await executeChild<typeof agentTurn>('agentTurn', {
      args: [turn],
      workflowId: `${workflowId}/turn-${number}`,
      staticSummary: `${description}: ${turn.query}`,
      typedSearchAttributes,
    });
    return { result };
  } catch (error) {
    if (isCancellation(error)) throw error;
    const cause = error instanceof ChildWorkflowFailure ? error.cause : error;
    return cause instanceof ApplicationFailure
      ? { error: { code: cause.type ?? 'INTERNAL', message: cause.message } }
      : { error: { code: 'INTERNAL', message: 'The turn could not be taken' } };
  }
}

/**
 * Erases what the turns left. An erasure that has begun continues as an abandoned child when it takes longer than the
 * report may wait.
 * @returns why the memories may still exist; undefined once they are erased
 */
async function eraseTestMemories(userId: string): Promise<string | undefined> {
  const { workflowId, typedSearchAttributes } = workflowInfo();
  try {
    const steps = memorySteps('begin to erase what the test left', ERASURE_BEGINS_WITHIN_MS);
    const erasureId = await steps.beginErasure(userId, uuid4());
    const erasure = await startChild<typeof eraseUserMemories>('eraseUserMemories', {
      args: [{ erasureId }],
      workflowId: childErasureId(workflowId),
      staticSummary: 'erase what the test left',
      typedSearchAttributes,
      parentClosePolicy: ParentClosePolicy.ABANDON,
    });
    const isDone = await Promise.race([
      erasure.result().then(() => true),
      sleep(ERASURE_ENDS_WITHIN_MS).then(() => false),
    ]);
    return isDone ? undefined : `the run ${erasure.workflowId} still erases them`;
  } catch (error) {
    const cause = error instanceof ChildWorkflowFailure ? error.cause : error;
    return `they could not be erased: ${stepFailure(cause).reason}`;
  }
}
