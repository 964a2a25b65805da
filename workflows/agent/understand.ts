import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { AgentActivities } from '../../activities/agent';
import type { Classification } from '../../src/contracts/http/intents';
import type { NotTaken } from '../../src/contracts/queues';
import type { ModelChoice } from '../../src/contracts/runs/workflows';
import { RETRY_DELAYS } from '../../src/contracts/retries';
import { summariseModelCall } from '../../src/contracts/runs/summaries';
import { createFailure } from '../steps/failures';
import { HEARTBEAT_TIMEOUT_MS, retryPolicy } from '../steps/retries';
import { inQueue } from '../steps/step-queue';
import { recallForTurn } from '../turns/turn-memory';
import { withRuleFallback, retryIfWorkerLost } from '../turns/turn-steps';
import type { TurnState, UnderstoodTurn } from './state';

/**
 * A classification may take this much longer than its own time limit, for queueing and for a lost worker, milliseconds.
 */
const CLASSIFICATION_MARGIN_MS = 15_000;
const RULES_CHOICE: ModelChoice = { provider: 'builtin', model: 'builtin' };

/**
 * Classifies the query and searches memory, both at once.
 * @throws ApplicationFailure `MEMORY_UNAVAILABLE` if memory failed and there is nothing else to answer from; any
 *   error of the classification
 */
export async function understandQuery(turn: TurnState): Promise<UnderstoodTurn> {
  const { input } = turn;
  const [{ notAsked, ...classification }, memory] = await Promise.all([
    classify(turn),
    recallForTurn(input, input.query, input.recall, 'the turn was answered without memory'),
  ]);
  const { recalled, problem } = memory;
  const isRules = input.choice.provider === 'builtin';
  const { type } = classification.intent;
  // Such a turn can be answered from memory alone, unless it has files.
  const isOfMemory = problem !== undefined && input.files === undefined;
  if (isOfMemory && (type === 'memory_chat' || (type === 'knowledge_search' && isRules))) {
    const { service, reason } = problem;
    throw createFailure('MEMORY_UNAVAILABLE', reason, { service, reason });
  }
  return {
    ...turn,
    classification,
    recalled,
    memoryProblem: problem,
    memorySearchTime: memory.time,
    choice: notAsked === undefined ? input.choice : RULES_CHOICE,
    modelNotAsked: notAsked,
  };
}

interface Classified extends Classification {
  /** Why no worker asked the model; present if rules classified instead. */
  readonly notAsked?: NotTaken;
}

/** Classifies by the chosen model, or by rules if no worker polls the queue of models. */
function classify({ input, budget }: TurnState): Promise<Classified> {
  const { query, classification, choice, modelLimits } = input;
  const { timeout } = classification;
  const { timeoutMs, maxWaitMs } = budget.fit({
    timeoutMs: timeout ?? 0,
    maxWaitMs: modelLimits.maxWaitMs,
  });
  const options = timeout === undefined ? classification : { ...classification, timeout: timeoutMs };
  const common = {
    scheduleToCloseTimeout: timeoutMs + (maxWaitMs ?? 0) + CLASSIFICATION_MARGIN_MS,
    retry: retryPolicy(RETRY_DELAYS),
    summary: summariseModelCall(choice, 'classify'),
  };
  const rules = proxyLocalActivities<AgentActivities>(common);
  if (choice.provider === 'builtin') return retryIfWorkerLost(() => rules.classifyTurn({ query, options }));
  const { classifyTurn } = proxyActivities<AgentActivities>({
    ...common,
    ...inQueue('models'),
    // A worker that takes the place of another one is there by then.
    scheduleToStartTimeout: timeoutMs + 2 * CLASSIFICATION_MARGIN_MS,
    heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
  });
  return withRuleFallback<Classified>(
    () =>
      budget.callUnlessFull(
        choice,
        (allowance) => classifyTurn({ query, options, allowance, maxWaitMs }),
        ({ metadata }) => metadata.usage,
      ),
    async (notAsked) => {
      const classified = await rules.classifyTurn({ query, options: { ...options, model: 'builtin' } });
      return { ...classified, metadata: { ...classified.metadata, fallback: notAsked.reason }, notAsked };
    },
  );
}
