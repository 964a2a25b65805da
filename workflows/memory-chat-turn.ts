import type { Recalled } from '../src/contracts/http/conversations';
import type { EpisodicMemory } from '../src/contracts/http/memory';
import type { MemoryChatTurnInput, MemoryChatTurnResult } from '../src/contracts/runs/memory-chat';
import { createFailure } from './steps/failures';
import { failingAsItsSteps } from './steps/long-steps';
import { inItsTurn } from './turns/session-turn';
import type { TurnRecall } from './turns/turn-memory';
import { recallForTurn, rememberOrDegrade, turnMessage } from './turns/turn-memory';
import { OUTAGES, answerStep, rememberStep, stepFailure } from './turns/turn-steps';

/** Answers a message of memory chat: stores it, recalls what fits, answers, and stores the answer. */
export function memoryChatTurn(input: MemoryChatTurnInput): Promise<MemoryChatTurnResult> {
  const arrived = Date.now();
  return inItsTurn(input.after, () => failingAsItsSteps(() => takeTurn(input, Date.now() - arrived)));
}

async function takeTurn(input: MemoryChatTurnInput, sessionWaitTime: number): Promise<MemoryChatTurnResult> {
  const startedAt = Date.now();
  // At once, as neither needs the other; no answer is asked for before the message is kept.
  const [{ stored, storing }, memory] = await Promise.all([
    rememberMessage(input, startedAt),
    recallOthers(input),
  ]);
  const { message: query, choice, modelLimits: limits, recall, memoryLimits } = input;
  const { recalled, problem } = memory;
  const answer = await answerStep({
    query,
    recalled,
    tools: [],
    choice,
    limits,
    withMemory: recall !== undefined,
  });
  const answeredAt = Math.max(Date.now(), startedAt + 1);
  const { text, nothingKnown = false } = answer;
  const said = turnMessage(input, { role: 'assistant', content: text, timestamp: answeredAt, nothingKnown });
  // The answer is there, whether it can be kept or not.
  const notRemembered = await rememberOrDegrade(
    [said],
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
    provider: answer.provider,
    model: answer.model,
    usage: answer.usage,
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
  /** How long that took, milliseconds. */
  readonly storing: number;
}

/** What is asked is kept, whatever becomes of the answer. @throws ApplicationFailure `MEMORY_UNAVAILABLE` */
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

/** Recalls what fits the message, but for the message itself, which may be in memory by now and fits itself best. */
async function recallOthers(input: MemoryChatTurnInput): Promise<TurnRecall> {
  const { message, recall, messageIds } = input;
  const oneMore = recall && { ...recall, limit: recall.limit + 1, recent: recall.recent + 1 };
  const found = await recallForTurn(input, message, oneMore, 'the message was answered without memory');
  return recall === undefined
    ? found
    : { ...found, recalled: without(messageIds.user, found.recalled, recall) };
}

type Limits = Pick<NonNullable<MemoryChatTurnInput['recall']>, 'limit' | 'recent'>;

/** What was recalled but for one message, within the limits. */
function without(id: string, recalled: Recalled, { limit, recent }: Limits): Recalled {
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
