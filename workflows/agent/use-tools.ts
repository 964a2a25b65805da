import { proxyLocalActivities } from '@temporalio/workflow';
import type { AgentActivities } from '../../activities/agent';
import { usesTools } from '../../src/contracts/intent-types';
import { RETRY_DELAYS } from '../../src/contracts/retries';
import { createFailure } from '../steps/failures';
import { retryPolicy } from '../steps/retries';
import { rememberMessage } from './remember';
import type { UnderstoodTurn, WorkedTurn } from './state';
import { isModelFailure, NO_BACKGROUND, runTurnTools, type TurnTools } from './turn-tools';

/**
 * Time limit of putting memories into words, milliseconds. It takes a few, but where it is lost with its worker it has to
 * be repeated.
 */
const DESCRIBING_LIMIT_MS = 15_000;

/**
 * Runs the tools that the query needs, where it needs any. Where the model fails that has to choose them, the turn fails,
 * and what the user said is remembered.
 * @throws what `runTurnTools` throws; ApplicationFailure `MODEL_TIMEOUT` where no worker asked the model
 */
export async function useTools(turn: UnderstoodTurn): Promise<WorkedTurn> {
  const { choice, classification } = turn;
  const { type } = classification.intent;
  // Rules read the query alone, and no remembered value may become an argument by a guess.
  const isMissingModel =
    choice.provider === 'builtin' && type === 'hybrid' && turn.modelNotAsked === undefined;
  if (!usesTools(type) || isMissingModel) return turn;
  try {
    return { ...turn, tools: await chooseAndRun(turn) };
  } catch (error) {
    if (isModelFailure(error)) await rememberMessage(turn);
    throw error;
  }
}

async function chooseAndRun({
  input,
  budget,
  choice,
  recalled,
  modelNotAsked,
}: UnderstoodTurn): Promise<TurnTools> {
  if (modelNotAsked !== undefined) {
    const { reason, taskQueue } = modelNotAsked;
    const { provider, model } = input.choice;
    throw createFailure('MODEL_TIMEOUT', reason, { provider, model, taskQueue });
  }
  if (choice.provider === 'builtin') return runTurnTools(input, budget, NO_BACKGROUND);
  const { describeMemories } = proxyLocalActivities<AgentActivities>({
    scheduleToCloseTimeout: DESCRIBING_LIMIT_MS,
    retry: retryPolicy(RETRY_DELAYS),
    summary: 'put memories into words',
  });
  return runTurnTools(input, budget, await describeMemories(recalled));
}
