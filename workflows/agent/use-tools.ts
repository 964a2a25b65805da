import { proxyLocalActivities } from '@temporalio/workflow';
import type { AgentActivities } from '../../activities/agent';
import type { Classification } from '../../src/contracts/http/intents';
import { usesTools } from '../../src/contracts/intent-types';
import { RETRY_DELAYS } from '../../src/contracts/retries';
import { createFailure } from '../steps/failures';
import { retryPolicy } from '../steps/retries';
import { rememberMessage } from './remember';
import type { UnderstoodTurn, WorkedTurn } from './state';
import { isModelFailure, NO_BACKGROUND, runTurnTools, type TurnTools } from './turn-tools';

/**
 * Time limit of putting memories into words, milliseconds. It takes a few, but if it is lost with its worker it has to
 * be repeated.
 */
const DESCRIBING_LIMIT_MS = 15_000;
/** Minimum probability of `hybrid` at which a message that rules could not read counts as one. */
const MIN_HYBRID = 0.25;

/**
 * Runs the tools that the query needs, if it needs any. If the model fails that has to choose them, the turn fails,
 * and what the user said is remembered.
 * @throws what `runTurnTools` throws; ApplicationFailure `MODEL_TIMEOUT` if no worker asked the model
 */
export async function useTools(turn: UnderstoodTurn): Promise<WorkedTurn> {
  const { choice, classification } = turn;
  const { type } = classification.intent;
  // Rules read the query alone, and no remembered value may become an argument by a guess.
  const isMissingModel =
    choice.provider === 'builtin' && type === 'hybrid' && turn.modelNotAsked === undefined;
  if (!usesTools(type) || isMissingModel) return turn;
  try {
    const tools = await chooseAndRun(turn);
    const isUnread =
      choice.provider === 'builtin' && tools.problem !== undefined && tools.outcomes.length === 0;
    const hybrid = isUnread ? toHybrid(classification) : undefined;
    return hybrid === undefined ? { ...turn, tools } : { ...turn, classification: hybrid };
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
  memoryProblem,
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
  const { query, userId, sessionId, recall } = input;
  // A memory that failed was not searched, and planning waits for none of its facts.
  const about =
    recall === undefined || memoryProblem !== undefined
      ? undefined
      : { query, choice, userId, sessionId, crossSession: recall.crossSession };
  return runTurnTools(input, budget, await describeMemories(recalled, about));
}

/** Makes the classification of a message that rules could not read `hybrid`, if that is likely. Pure. */
function toHybrid(classification: Classification): Classification | undefined {
  const { intent, metadata } = classification;
  const { lowConfidence: _, alternatives = [], ...rest } = metadata;
  const hybrid = alternatives.find(({ type }) => type === 'hybrid')?.confidence ?? 0;
  if (hybrid < MIN_HYBRID) return undefined;
  // The confidence in the first type and in `hybrid` add up, since the evidence for both now supports one type.
  const confidence = Math.min(1, intent.confidence + hybrid);
  return {
    ...classification,
    intent: { ...intent, type: 'hybrid', confidence, memoryContext: true },
    metadata: { ...rest, confidence },
  };
}
