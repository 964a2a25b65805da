import type { Recalled } from '../src/contracts/http/conversations';
import type { EpisodicMemory } from '../src/contracts/http/memory';
import type { MemoryChatTurnInput, MemoryChatTurnResult } from '../src/contracts/runs/memory-chat';
import { Approvals } from './steps/approvals';
import { RunBudget } from './steps/run-budget';
import { createFailure } from './steps/failures';
import { withStepFailure } from './steps/long-steps';
import { afterEarlierTurns } from './turns/session-order';
import { recallForTurn, rememberOrDegrade, turnMessage, type TurnRecall } from './turns/turn-memory';
import { OUTAGES, answerStep, rememberStep, stepFailure } from './turns/turn-steps';

/** Answers a message of memory chat: stores the message, recalls matching memories, answers, and stores the answer. */
export function memoryChatTurn(input: MemoryChatTurnInput): Promise<MemoryChatTurnResult> {
  const arrived = Date.now();
  return afterEarlierTurns(input.after, () => withStepFailure(() => takeTurn(input, Date.now() - arrived)));
}

async function takeTurn(input: MemoryChatTurnInput, sessionWaitTime: number): Promise<MemoryChatTurnResult> {
  const startedAt = Date.now();
  // Storing and recalling do not need each other, so they run at once. The answer waits until the message is stored.
  const [{ stored, storing }, memory] = await Promise.all([
    rememberMessage(input, startedAt),
    recallOthers(input),
  ]);
  const { message: query, choice, modelLimits: limits, recall, memoryLimits } = input;
  const { recalled, problem } = memory;
  const budget = new RunBudget(input.budget, new Approvals(undefined));
  const request = {
    query,
    userId: input.userId,
    sessionId: input.sessionId,
    crossSession: recall?.crossSession,
    recalled,
    tools: [],
    instructions: input.instructions,
    choice,
    limits,
    // A memory that failed was not searched, and the answer waits for none of its facts.
    withMemory: recall !== undefined && problem === undefined,
  };
  const answer = await budget.callModel(
    choice,
    (allowance) => answerStep({ ...request, allowance }),
    ({ usage }) => usage,
  );
  const answeredAt = Math.max(Date.now(), startedAt + 1);
  const { text, nothingKnown = false } = answer;
  const reply = turnMessage(input, { role: 'assistant', content: text, timestamp: answeredAt, nothingKnown });
  // The caller gets the answer even if it cannot be stored.
  const notRemembered = await rememberOrDegrade(
    [reply],
    memoryLimits,
    'the answer may not have been remembered',
  );

  const { episodic, semantic } = recalled;
  const { id, content, timestamp } = stored;
  return {
    answer: text,
    context: answer.context,
    recalled: { episodic, semantic },
    stored: { id, content, timestamp },
    answeredAt: new Date(answeredAt).toISOString(),
    sources: answer.sources,
    facts: answer.facts,
    provider: answer.provider,
    model: answer.model,
    finishReason: answer.finishReason,
    usage: answer.usage,
    runUsage: budget.usage,
    degraded: [
      ...recalled.degraded,
      ...(problem === undefined ? [] : [problem]),
      ...answer.degraded,
      ...(notRemembered === undefined ? [] : [notRemembered]),
    ],
    times: {
      sessionWaitTime,
      memorySearchTime: memory.time,
      llmResponseTime: answer.time,
      memoryStoreTime: storing + Math.max(0, Date.now() - answeredAt),
      executionTime: Date.now() - startedAt,
    },
  };
}

interface StoredMessage {
  readonly stored: EpisodicMemory;
  /** How long storing took, milliseconds. */
  readonly storing: number;
}

/**
 * Stores the user's message, so that it is kept even if answering fails.
 * @throws ApplicationFailure `MEMORY_UNAVAILABLE`
 */
async function rememberMessage(input: MemoryChatTurnInput, timestamp: number): Promise<StoredMessage> {
  try {
    const message = turnMessage(input, { role: 'user', content: input.message, timestamp });
    const [stored] = await rememberStep([message], input.memoryLimits);
    return { stored: stored as EpisodicMemory, storing: Date.now() - timestamp };
  } catch (error) {
    const { code, reason } = stepFailure(error);
    const service = OUTAGES[code];
    if (service === undefined) throw error;
    throw createFailure('MEMORY_UNAVAILABLE', reason, { service, reason }, error);
  }
}

/** Recalls what matches the message, except the message itself, which may be stored by now and would match best. */
async function recallOthers(input: MemoryChatTurnInput): Promise<TurnRecall> {
  const { message, recall, messageIds } = input;
  const oneMore = recall && { ...recall, limit: recall.limit + 1, recent: recall.recent + 1 };
  const memory = await recallForTurn(input, message, oneMore, 'the message was answered without memory');
  return recall === undefined
    ? memory
    : { ...memory, recalled: withoutMessage(messageIds.user, memory.recalled, recall) };
}

type Limits = Pick<NonNullable<MemoryChatTurnInput['recall']>, 'limit' | 'recent'>;

/** Leaves one message out of what was recalled, and keeps to the limits. */
function withoutMessage(id: string, recalled: Recalled, { limit, recent }: Limits): Recalled {
  const isOther = (each: { readonly id: string }): boolean => each.id !== id;
  const episodic = recalled.episodic.filter(isOther);
  const { semantic } = recalled;
  const worst = Math.min(
    episodic.at(-1)?.relevanceScore ?? Infinity,
    semantic.at(-1)?.similarityScore ?? Infinity,
  );
  const isOneTooMany = episodic.length + semantic.length > limit;
  const fromEpisodic = isOneTooMany && episodic.at(-1)?.relevanceScore === worst;
  return {
    ...recalled,
    episodic: fromEpisodic ? episodic.slice(0, -1) : episodic,
    semantic: isOneTooMany && !fromEpisodic ? semantic.slice(0, -1) : semantic,
    recent: recent === 0 ? [] : recalled.recent.filter(isOther).slice(-recent),
  };
}
