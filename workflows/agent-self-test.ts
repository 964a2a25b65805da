import { ApplicationFailure, ChildWorkflowFailure } from '@temporalio/common';
import { executeChild, isCancellation, uuid4, workflowInfo } from '@temporalio/workflow';
import type { AgentTurnInput, SelfTestInput, SelfTestOutcome } from '../src/contracts/agent-runs';
import { childErasureOf } from '../src/contracts/memory-runs';
import type { agentTurn } from './agent-turn';
import type { eraseUserMemories } from './erase-user-memories';
import { memorySteps } from './memory-steps';
import { showProgress } from './progress';

/** Takes turns as a user would, and forgets them. In the order given. */
export async function agentSelfTest({ turns, userId }: SelfTestInput): Promise<SelfTestOutcome[]> {
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
  await forget(userId);
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

async function forget(userId: string): Promise<void> {
  const { workflowId, typedSearchAttributes } = workflowInfo();
  const erasureId = await memorySteps('begin to erase what the test left').beginErasure(userId, uuid4());
  await executeChild<typeof eraseUserMemories>('eraseUserMemories', {
    args: [{ erasureId }],
    workflowId: childErasureOf(workflowId),
    staticSummary: 'erase what the test left',
    typedSearchAttributes,
  });
}
