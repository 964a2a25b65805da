import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { AgentActivities } from '../../activities/agent';
import type { Classification } from '../../src/contracts/http/intents';
import { RETRY_DELAYS } from '../../src/contracts/retries';
import { summariseModelCall } from '../../src/contracts/runs/summaries';
import { createFailure } from '../steps/failures';
import { HEARTBEAT_TIMEOUT_MS, retryPolicy } from '../steps/retries';
import { inQueue } from '../steps/step-queue';
import { recallForTurn } from '../turns/turn-memory';
import { withRuleFallback, retryIfWorkerLost } from '../turns/turn-steps';
import { fillFromMemory } from './planning-input';
import type { TurnState, UnderstoodTurn } from './state';
import { RULES_CHOICE } from './turn-tools';

/**
 * A classification may take this much longer than its own time limit, for queueing and for a lost worker, milliseconds.
 */
const CLASSIFICATION_MARGIN_MS = 15_000;

/**
 * Classifies the query and searches memory, both at once.
 * @throws ApplicationFailure `MEMORY_UNAVAILABLE` where memory failed and there is nothing else to answer from; any
 *   error of the classification
 */
export async function understandQuery(turn: TurnState): Promise<UnderstoodTurn> {
  const { input } = turn;
  const [{ notAsked, ...classified }, memory] = await Promise.all([
    classify(turn),
    recallForTurn(input, input.query, input.recall, 'the turn was answered without memory'),
  ]);
  const { recalled, problem } = memory;
  const isRules = input.choice.provider === 'builtin';
  // Where the model failed, the turn continues by rules, as it does where the caller chose no model.
  const isByRules = isRules || classified.metadata.fallback !== undefined;
  const filled =
    isByRules && mayBeHybrid(classified) ? await fillFromMemory(input.query, recalled) : undefined;
  const classification = filled?.query === undefined ? classified : toHybrid(classified);
  const { type } = classification.intent;
  // Such a turn can be answered from memory alone.
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
    choice: notAsked === undefined ? input.choice : RULES_CHOICE,
    modelNotAsked: notAsked,
  };
}

interface Classified extends Classification {
  /** Why no worker asked the model; present where rules classified instead. */
  readonly notAsked?: string;
}

/** Classifies by the chosen model, or by rules where no worker polls the queue of models. */
function classify({ input, budget }: TurnState): Promise<Classified> {
  const { query, classification, choice } = input;
  const { timeout } = classification;
  const options =
    timeout === undefined
      ? classification
      : { ...classification, timeout: budget.fit({ timeoutMs: timeout }).timeoutMs };
  const common = {
    scheduleToCloseTimeout: (options.timeout ?? 0) + CLASSIFICATION_MARGIN_MS,
    retry: retryPolicy(RETRY_DELAYS),
    summary: summariseModelCall(choice, 'classify'),
  };
  const rules = proxyLocalActivities<AgentActivities>(common);
  if (choice.provider === 'builtin') return retryIfWorkerLost(() => rules.classifyTurn({ query, options }));
  const { classifyTurn } = proxyActivities<AgentActivities>({
    ...common,
    ...inQueue('models'),
    heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
  });
  return withRuleFallback<Classified>(
    () =>
      budget.callUnlessFull(
        choice,
        (allowance) => classifyTurn({ query, options, allowance }),
        ({ metadata }) => metadata.usage,
      ),
    async (fallback) => {
      const classified = await rules.classifyTurn({ query, options: { ...options, model: 'builtin' } });
      return { ...classified, metadata: { ...classified.metadata, fallback }, notAsked: fallback };
    },
  );
}

/** Whether the rules consider `hybrid` possible: then it is decided by whether memory has what the query refers to. */
function mayBeHybrid({ intent, metadata }: Classification): boolean {
  return intent.type === 'hybrid' || metadata.alternatives?.some((other) => other.type === 'hybrid') === true;
}

/** Makes a classification `hybrid`, because memory has what the query refers to. Pure. */
function toHybrid(classification: Classification): Classification {
  const { intent, metadata } = classification;
  if (intent.type === 'hybrid') return classification;
  const { lowConfidence: _, alternatives = [], ...rest } = metadata;
  const hybrid = alternatives.find((other) => other.type === 'hybrid')?.confidence ?? 0;
  // The confidence in the first type and in `hybrid` add up, since the evidence for both now supports one type.
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
