import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { AgentActivities } from '../../activities/agent';
import type { AgentTurnInput } from '../../src/contracts/runs/agent';
import type { Classification } from '../../src/contracts/http/intents';
import { RETRY_DELAYS } from '../../src/contracts/retries';
import { summariseModelCall } from '../../src/contracts/runs/summaries';
import { createFailure } from '../steps/failures';
import { HEARTBEAT_TIMEOUT_MS, retryPolicy } from '../steps/retries';
import { inQueue } from '../steps/step-queue';
import { recallForTurn } from '../turns/turn-memory';
import { orByRules, untilTaken } from '../turns/turn-steps';
import { fillFromMemory } from './planning-input';
import type { TurnState, UnderstoodTurn } from './state';
import { RULES } from './turn-tools';

/** Beyond its own time limit, what a classification may take: queueing, and being lost with a worker, milliseconds. */
const CLASSIFICATION_MARGIN_MS = 15_000;

/**
 * Classifies the query and asks memory, both at once.
 * @throws ApplicationFailure `MEMORY_UNAVAILABLE` where memory failed and there is nothing else to answer from; else what
 * classifying throws
 */
export async function understandQuery(turn: TurnState): Promise<UnderstoodTurn> {
  const { input } = turn;
  const [{ notAsked, ...classified }, memory] = await Promise.all([
    classify(input),
    recallForTurn(input, input.query, input.recall, 'the turn was answered without memory'),
  ]);
  const { recalled, problem } = memory;
  const isRules = input.choice.provider === 'builtin';
  // Where the model failed, rules go on as they do where none is chosen.
  const isByRules = isRules || classified.metadata.fallback !== undefined;
  const filled =
    isByRules && mayBeHybrid(classified) ? await fillFromMemory(input.query, recalled) : undefined;
  const classification = filled?.query === undefined ? classified : asHybrid(classified);
  const { type } = classification.intent;
  // There is nothing else to answer from.
  if (problem !== undefined && (type === 'memory_chat' || (type === 'knowledge_search' && isRules))) {
    const { service, reason } = problem;
    throw createFailure('MEMORY_UNAVAILABLE', reason, { service, reason });
  }
  return {
    ...turn,
    classification,
    recalled,
    memoryProblem: problem,
    memorySearchTime: memory.time,
    filled,
    choice: notAsked === undefined ? input.choice : RULES,
    modelNotAsked: notAsked,
  };
}

interface Classified extends Classification {
  /** Why no worker asked the model, so that rules classified. */
  readonly notAsked?: string;
}

/** Rules classify where no worker asks models. */
function classify({ query, classification: options, choice }: AgentTurnInput): Promise<Classified> {
  const common = {
    scheduleToCloseTimeout: (options.timeout ?? 0) + CLASSIFICATION_MARGIN_MS,
    retry: retryPolicy(RETRY_DELAYS),
    summary: summariseModelCall(choice, 'classify'),
  };
  const rules = proxyLocalActivities<AgentActivities>(common);
  if (choice.provider === 'builtin') return untilTaken(() => rules.classifyTurn({ query, options }));
  const { classifyTurn } = proxyActivities<AgentActivities>({
    ...common,
    ...inQueue('models'),
    heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
  });
  return orByRules<Classified>(
    () => classifyTurn({ query, options }),
    async (fallback) => {
      const classified = await rules.classifyTurn({ query, options: { ...options, model: 'builtin' } });
      return { ...classified, metadata: { ...classified.metadata, fallback }, notAsked: fallback };
    },
  );
}

/** Where the rules doubt whether memory is needed, memory tells. */
function mayBeHybrid({ intent, metadata }: Classification): boolean {
  return intent.type === 'hybrid' || metadata.alternatives?.some((other) => other.type === 'hybrid') === true;
}

/** Memory has what the query refers to: the doubt whether it is needed is over. Pure. */
function asHybrid(classification: Classification): Classification {
  const { intent, metadata } = classification;
  if (intent.type === 'hybrid') return classification;
  const { lowConfidence: _, alternatives = [], ...rest } = metadata;
  const hybrid = alternatives.find((other) => other.type === 'hybrid')?.confidence ?? 0;
  // What spoke for either of the two speaks for the one that is left.
  const confidence = Math.min(1, intent.confidence + hybrid);
  const reasoning =
    intent.reasoning === undefined
      ? {}
      : { reasoning: `${intent.reasoning} Memory has what it refers to, so it is hybrid.` };
  return {
    ...classification,
    intent: { ...intent, type: 'hybrid', confidence, memoryContext: true, ...reasoning },
    metadata: { ...rest, confidence },
  };
}
