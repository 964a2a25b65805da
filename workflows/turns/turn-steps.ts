import { ApplicationFailure, TimeoutFailure } from '@temporalio/common';
import {
  type ActivityOptions,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow';
import type { ConversationActivities } from '../../activities/conversation';
import type { Degradation, Recalled } from '../../src/contracts/http/conversations';
import type {
  AnswerInput,
  MemoryLimits,
  RecallQuery,
  TurnAnswer,
  TurnMessage,
} from '../../src/contracts/runs/turns';
import type { TurnFile } from '../../src/contracts/http/files';
import type { EpisodicMemory } from '../../src/contracts/http/memory';
import type { NotTaken } from '../../src/contracts/queues';
import { needsModel } from '../../src/contracts/runs/needs-model';
import { RETRY_DELAYS } from '../../src/contracts/retries';
import { wholeTime } from '../../src/contracts/runs/call-time';
import { summariseModelCall } from '../../src/contracts/runs/summaries';
import { causeOf } from '../steps/cause-of';
import { withModelFailure } from '../steps/model-step';
import { inQueue, notTaken } from '../steps/step-queue';
import { HEARTBEAT_TIMEOUT_MS, retryPolicy } from '../steps/retries';

/** A step whose worker was lost is tried up to this number of times. */
const MAX_TRIES = 3;
/** Time for the rules, which answer if the model has taken all of its own, milliseconds. */
const RULES_MARGIN_MS = 5_000;
/**
 * An answer waits up to this long for a worker of models. With the defaults, the caller still waits when rules answer
 * then.
 */
const ANSWER_PICKUP_MS = 20_000;

function memoryActivities({ timeoutMs }: MemoryLimits, summary: string): ConversationActivities {
  return proxyActivities<ConversationActivities>({
    scheduleToCloseTimeout: timeoutMs,
    heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
    retry: retryPolicy(RETRY_DELAYS),
    summary,
  });
}

/** Searches memory. @throws ActivityFailure */
export function recallStep(query: RecallQuery, limits: MemoryLimits): Promise<Recalled> {
  return retryIfWorkerLost(() => memoryActivities(limits, 'recall memories').recallMemories(query));
}

/** Stores messages of a turn under the ids that they carry. @throws ActivityFailure */
export function rememberStep(
  messages: readonly TurnMessage[],
  limits: MemoryLimits,
): Promise<EpisodicMemory[]> {
  const who = messages.map(({ role }) => (role === 'user' ? 'the message' : 'the answer')).join(' and ');
  return retryIfWorkerLost(() => memoryActivities(limits, `remember ${who}`).storeMessages(messages));
}

/** Retries a step only if it timed out without reporting an error, that is, if its worker died. */
export async function retryIfWorkerLost<T>(
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
 * Answers by `answerTurn` of `activities/conversation.ts`: by rules in a local activity, by a model over the network.
 * Rules answer instead if workers are lost until the model's time is over, or if no worker takes the step. An answer by a
 * schema or with files fails then.
 * @param files as the activity takes them
 * @throws ActivityFailure; for such an answer as `planStep` does
 */
export function answerStep(
  input: Omit<AnswerInput, 'deadline'>,
  files?: readonly TurnFile[],
): Promise<TurnAnswer> {
  const { choice, limits } = input;
  const options: ActivityOptions = {
    scheduleToCloseTimeout: wholeTime(limits) + RULES_MARGIN_MS,
    retry: retryPolicy(limits.delays ?? RETRY_DELAYS),
    summary: summariseModelCall(choice, 'answer'),
  };
  const rules = proxyLocalActivities<ConversationActivities>(options);
  const request = { ...input, deadline: Date.now() + wholeTime(limits) };
  if (choice.provider === 'builtin') return retryIfWorkerLost(() => rules.answerTurn(request));
  const { answerTurn } = proxyActivities<ConversationActivities>({
    ...options,
    ...inQueue('models'),
    scheduleToStartTimeout: Math.min(ANSWER_PICKUP_MS, limits.timeoutMs + RULES_MARGIN_MS),
    heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
  });
  if (files !== undefined) return withModelFailure(input, () => answerTurn(request, files));
  if (needsModel(input)) return withModelFailure(input, () => answerTurn(request));
  return withRuleFallback(
    () => answerTurn(request),
    async ({ reason }) => {
      // A deadline in the past makes the activity answer by rules.
      const answer = await rules.answerTurn({ ...request, deadline: 0 });
      return { ...answer, degraded: answer.degraded.map((one) => ({ ...one, reason })) };
    },
  );
}

/**
 * Runs a step that asks a model, or the rule-based fallback if no worker took the step in time: a deployment may
 * have no worker for models.
 * @param rules runs the fallback; its argument says why the model was not asked
 * @throws as `retryIfWorkerLost` does
 */
export async function withRuleFallback<T>(
  step: () => Promise<T>,
  rules: (notAsked: NotTaken) => Promise<T>,
): Promise<T> {
  try {
    return await retryIfWorkerLost(step, (error) => notTaken(error, 'models') !== undefined);
  } catch (error) {
    const missed = notTaken(error, 'models');
    if (missed === undefined) throw error;
    return retryIfWorkerLost(() => rules({ ...missed, reason: `The model was not asked: ${missed.reason}` }));
  }
}

/**
 * The service that a step of memory had to do without, by the code of its failure. Any other code is a fault of the
 * service.
 */
export const OUTAGES: Readonly<Record<string, 'graphdb' | 'embedder'>> = {
  STORE_UNAVAILABLE: 'graphdb',
  TIMEOUT: 'graphdb',
  EMBEDDER_UNAVAILABLE: 'embedder',
  EMBEDDING_MODEL_CHANGED: 'embedder',
  VECTOR_SPACE_CHANGED: 'embedder',
};

/**
 * Builds the entry of a result for a step of memory that failed and that the turn continues without.
 * @throws a cancellation
 */
export function memoryDown(error: unknown, consequence: string): Degradation {
  const { code, reason } = stepFailure(error);
  return { service: OUTAGES[code] ?? 'graphdb', reason, consequence };
}

/**
 * Reads code and message of a step's failure. For a step whose time is over they are those of its last attempt, or
 * `TIMEOUT` if that reported nothing.
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
