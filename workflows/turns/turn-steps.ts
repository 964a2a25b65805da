import { ApplicationFailure, TimeoutFailure } from '@temporalio/common';
import type { ActivityOptions } from '@temporalio/workflow';
import { isCancellation, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { ConversationActivities } from '../../activities/conversation';
import type { Degradation, Recalled } from '../../src/contracts/http/conversations';
import type {
  AnswerInput,
  MemoryLimits,
  RecallQuery,
  TurnAnswer,
  TurnMessage,
} from '../../src/contracts/runs/turns';
import type { EpisodicMemory } from '../../src/contracts/http/memory';
import { RETRY_DELAYS } from '../../src/contracts/retries';
import { summariseModelCall } from '../../src/contracts/runs/summaries';
import { causeOf } from '../steps/cause-of';
import { inQueue, notTaken } from '../steps/step-queue';
import { HEARTBEAT_TIMEOUT_MS, retryPolicy } from '../steps/retries';

/** How often a step is asked for that no worker took to its end. */
const MAX_TRIES = 3;
/** For the rules that answer where the model has taken all its time. */
const RULES_MARGIN_MS = 5_000;
/** So long an answer waits for a worker that asks models: with the defaults rules answer while the caller waits still. */
const ANSWER_PICKUP_MS = 20_000;

function memoryActivities({ timeoutMs }: MemoryLimits, summary: string): ConversationActivities {
  return proxyActivities<ConversationActivities>({
    scheduleToCloseTimeout: timeoutMs,
    heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
    retry: retryPolicy(RETRY_DELAYS),
    summary,
  });
}

/** Looks into memory. @throws ActivityFailure */
export function recallStep(query: RecallQuery, limits: MemoryLimits): Promise<Recalled> {
  return untilTaken(() => memoryActivities(limits, 'recall memories').recallMemories(query));
}

/** Stores messages of a turn under the ids they have. @throws ActivityFailure */
export function rememberStep(
  messages: readonly TurnMessage[],
  limits: MemoryLimits,
): Promise<EpisodicMemory[]> {
  const who = messages.map(({ role }) => (role === 'user' ? 'the message' : 'the answer')).join(' and ');
  return untilTaken(() => memoryActivities(limits, `remember ${who}`).storeMessages(messages));
}

/** Whoever fails has said so; where nothing was said, the worker is gone, and another one may come. */
export async function untilTaken<T>(
  step: () => Promise<T>,
  isEnough: (error: unknown) => boolean = () => false,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await step();
    } catch (error) {
      if (stepFailure(error).code !== 'TIMEOUT' || tries === MAX_TRIES || isEnough(error)) throw error;
    }
  }
}

/**
 * Answers, by `answerTurn` of `activities/conversation.ts`; rules within the run's own task, a model over the network. Where workers are
 * lost until the model's time is over, or none takes the step, rules answer. @throws ActivityFailure
 */
export function answerStep(input: Omit<AnswerInput, 'deadline'>): Promise<TurnAnswer> {
  const { choice, limits } = input;
  const options: ActivityOptions = {
    scheduleToCloseTimeout: limits.timeoutMs + RULES_MARGIN_MS,
    retry: retryPolicy(limits.delays ?? RETRY_DELAYS),
    summary: summariseModelCall(choice, 'answer'),
  };
  const rules = proxyLocalActivities<ConversationActivities>(options);
  const request = { ...input, deadline: Date.now() + limits.timeoutMs };
  if (choice.provider === 'builtin') return untilTaken(() => rules.answerTurn(request));
  const { answerTurn } = proxyActivities<ConversationActivities>({
    ...options,
    ...inQueue('models'),
    scheduleToStartTimeout: Math.min(ANSWER_PICKUP_MS, limits.timeoutMs + RULES_MARGIN_MS),
    heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
  });
  return orByRules(
    () => answerTurn(request),
    async (reason) => {
      // With its deadline over, rules answer.
      const answer = await rules.answerTurn({ ...request, deadline: 0 });
      return { ...answer, degraded: answer.degraded.map((one) => ({ ...one, reason })) };
    },
  );
}

/**
 * Runs a step that asks a model, or what stands in for it where no worker took it in all its time: there may be none for models.
 * @throws as `untilTaken` does
 */
export async function orByRules<T>(
  step: () => Promise<T>,
  rules: (reason: string) => Promise<T>,
): Promise<T> {
  try {
    return await untilTaken(step, (error) => notTaken(error, 'models') !== undefined);
  } catch (error) {
    const missed = notTaken(error, 'models');
    if (missed === undefined) throw error;
    return untilTaken(() => rules(`The model was not asked: ${missed.reason}`));
  }
}

/** What a step of memory had to do without, by the code of its failure; other failures are mistakes. */
export const OUTAGES: Readonly<Record<string, 'graphdb' | 'embedder'>> = {
  STORE_UNAVAILABLE: 'graphdb',
  TIMEOUT: 'graphdb',
  EMBEDDER_UNAVAILABLE: 'embedder',
  EMBEDDING_MODEL_CHANGED: 'embedder',
  VECTOR_SPACE_CHANGED: 'embedder',
};

/** A step of memory that a turn goes on without. @throws a cancellation */
export function memoryDown(error: unknown, consequence: string): Degradation {
  const { code, reason } = stepFailure(error);
  return { service: OUTAGES[code] ?? 'graphdb', reason, consequence };
}

/**
 * What a step failed with, in the words of whoever threw it; when its time is over, in those of its last attempt, if that said
 * anything.
 * @throws a cancellation
 */
export function stepFailure(error: unknown): { readonly code: string; readonly reason: string } {
  if (isCancellation(error)) throw error;
  const failure = causeOf(error);
  const cause = failure instanceof TimeoutFailure ? failure.cause : failure;
  return cause instanceof ApplicationFailure
    ? { code: cause.type ?? 'INTERNAL', reason: cause.message }
    : { code: 'TIMEOUT', reason: 'it did not answer in time' };
}
