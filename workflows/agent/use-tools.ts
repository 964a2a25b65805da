import { proxyLocalActivities } from '@temporalio/workflow';
import type { AgentActivities } from '../../activities/agent';
import type { Classification } from '../../src/contracts/http/intents';
import { usesTools } from '../../src/contracts/intent-types';
import { RETRY_DELAYS } from '../../src/contracts/retries';
import { retryPolicy } from '../steps/retries';
import { byModelAlone } from './by-model-alone';
import type { UnderstoodTurn, WorkedTurn } from './state';
import { NO_BACKGROUND, runTurnTools, type TurnTools } from './turn-tools';

/**
 * Time limit of putting memories into words, milliseconds. It takes a few, but if it is lost with its worker it has to
 * be repeated.
 */
const DESCRIBING_LIMIT_MS = 15_000;
/** Minimum probability of `hybrid` at which a message that rules could not read counts as one. */
const MIN_HYBRID = 0.25;

/**
 * Runs the tools that the query needs, if it needs any. A model that a caller has given tools decides that itself,
 * because the classification does not know what the tools and the instructions are for. If the model fails that has to
 * choose them, the turn fails, and what the user said is remembered.
 * @throws what `runTurnTools` throws; ApplicationFailure `MODEL_TIMEOUT` if no worker asked the model
 */
export async function useTools(turn: UnderstoodTurn): Promise<WorkedTurn> {
  const { input, choice, classification } = turn;
  const { type } = classification.intent;
  // Rules read the query alone, and no remembered value may become an argument by a guess.
  const isMissingModel =
    choice.provider === 'builtin' && type === 'hybrid' && turn.modelNotAsked === undefined;
  const { tools: named, agents = [], callerTools = [] } = input;
  const hasOthers = agents.length > 0 || callerTools.length > 0 || input.mustCall === true;
  const hasNone = named?.length === 0 && !hasOthers;
  const isGivenTools = (named !== undefined || hasOthers) && choice.provider !== 'builtin';
  if (hasNone || isMissingModel || !(isGivenTools || usesTools(type))) return turn;
  const tools = await byModelAlone(turn, () => chooseAndRun(turn));
  const isUnread =
    choice.provider === 'builtin' && tools.problem !== undefined && tools.outcomes.length === 0;
  const hybrid = isUnread ? toHybrid(classification) : undefined;
  return hybrid === undefined ? { ...turn, tools } : { ...turn, classification: hybrid };
}

async function chooseAndRun({
  input,
  files,
  budget,
  choice,
  recalled,
  memoryProblem,
  calledTurns,
}: UnderstoodTurn): Promise<TurnTools> {
  if (choice.provider === 'builtin')
    return runTurnTools(input, budget, { background: NO_BACKGROUND, calledTurns });
  const { describeMemories } = proxyLocalActivities<AgentActivities>({
    scheduleToCloseTimeout: DESCRIBING_LIMIT_MS,
    retry: retryPolicy(RETRY_DELAYS),
    summary: 'put memories into words',
  });
  const { query, userId, sessionId, recall, instructions, tools, agents, callerTools, earlier } = input;
  // A memory that failed was not searched, and planning waits for none of its facts.
  const about =
    recall === undefined || memoryProblem !== undefined
      ? undefined
      : {
          query,
          choice,
          userId,
          sessionId,
          crossSession: recall.crossSession,
          instructions,
          tools,
          agents,
          callerTools,
        };
  const background = await describeMemories(recalled, about, files, earlier);
  return runTurnTools(input, budget, { background, files, calledTurns });
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
