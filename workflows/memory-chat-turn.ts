import { workflowInfo } from '@temporalio/workflow';
import type { Degradation, Recalled, TurnAnswer, TurnMessage } from '../src/contracts/conversations';
import type { EpisodicMemory } from '../src/contracts/memory';
import type { MemoryChatTurnInput, MemoryChatTurnResult } from '../src/contracts/memory-chat-runs';
import { NOTHING_RECALLED } from '../src/contracts/nothing-recalled';
import { failingAsItsSteps } from './steps/long-steps';
import { inItsTurn } from './turns/session-turn';
import { createFailure } from './steps/failures';
import { OUTAGES, answerStep, memoryDown, recallStep, rememberStep, stepFailure } from './turns/turn-steps';

/** Answers a message of memory chat: stores it, recalls what fits, answers, and stores the answer. */
export function memoryChatTurn(input: MemoryChatTurnInput): Promise<MemoryChatTurnResult> {
  const arrived = Date.now();
  return inItsTurn(input.after, () => failingAsItsSteps(() => takeTurn(input, Date.now() - arrived)));
}

async function takeTurn(input: MemoryChatTurnInput, sessionWaitTime: number): Promise<MemoryChatTurnResult> {
  const began = Date.now();
  // At once, as neither needs the other; no answer is asked for before the message is kept.
  const [{ stored, storing }, { recalled, problem }] = await Promise.all([
    rememberMessage(input, began),
    recallIfWanted(input),
  ]);
  const answer = await answerFrom(input, recalled);
  const answeredAt = Math.max(Date.now(), began + 1);
  const notRemembered = await rememberAnswer(input, answer, answeredAt);

  const { episodic, semantic } = recalled;
  const { id, content, timestamp } = stored;
  return {
    answer: answer.text,
    context: answer.context,
    recalled: { episodic, semantic },
    stored: { id, content, timestamp },
    answeredAt: new Date(answeredAt).toISOString(),
    sources: answer.sources,
    provider: answer.provider,
    model: answer.model,
    usage: answer.usage,
    degraded: [...recalled.degraded, ...problem, ...answer.degraded, ...notRemembered],
    times: {
      sessionWaitTime,
      memorySearchTime: recalled.time,
      llmResponseTime: answer.time,
      memoryStoreTime: storing + Math.max(0, Date.now() - answeredAt),
      executionTime: Date.now() - began,
    },
  };
}

interface StoredMessage {
  readonly stored: EpisodicMemory;
  /** How long that took, milliseconds. */
  readonly storing: number;
}

/** What is asked is kept, whatever becomes of the answer. */
async function rememberMessage(input: MemoryChatTurnInput, began: number): Promise<StoredMessage> {
  try {
    const stored = await remember(input, { role: 'user', content: input.message, timestamp: began });
    return { stored, storing: Date.now() - began };
  } catch (error) {
    const { code, reason } = stepFailure(error);
    const service = OUTAGES[code];
    if (service === undefined) throw error;
    throw createFailure('MEMORY_UNAVAILABLE', reason, { service, reason }, error);
  }
}

/** @throws ActivityFailure */
async function remember(
  { userId, sessionId, messageIds, memoryLimits }: MemoryChatTurnInput,
  said: Pick<TurnMessage, 'role' | 'content' | 'timestamp' | 'nothingKnown'>,
): Promise<EpisodicMemory> {
  const turn = workflowInfo().workflowId;
  const message: TurnMessage = { userId, sessionId, id: messageIds[said.role], turn, ...said };
  const [memory] = await rememberStep([message], memoryLimits);
  return memory as EpisodicMemory;
}

interface Memory {
  readonly recalled: Recalled;
  readonly problem: readonly Degradation[];
}

async function recallIfWanted(input: MemoryChatTurnInput): Promise<Memory> {
  const { userId, sessionId, message: text, recall, memoryLimits } = input;
  if (recall === undefined) return { recalled: NOTHING_RECALLED, problem: [] };
  const started = Date.now();
  // The message may be in memory by now, and fits itself best.
  const more = { limit: recall.limit + 1, recent: recall.recent + 1 };
  // A model that was chosen may fail, and rules answer then.
  const query = { userId, sessionId, text, widely: true, ...recall, ...more };
  try {
    const recalled = await recallStep(query, memoryLimits);
    return { recalled: without(input.messageIds.user, recalled, recall), problem: [] };
  } catch (error) {
    const recalled = { ...NOTHING_RECALLED, time: Date.now() - started };
    return { recalled, problem: [memoryDown(error, 'the message was answered without memory')] };
  }
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

function answerFrom(input: MemoryChatTurnInput, recalled: Recalled): Promise<TurnAnswer> {
  const { message: query, choice, modelLimits: limits, recall } = input;
  return answerStep({ query, recalled, tools: [], choice, limits, withMemory: recall !== undefined });
}

/** The answer is there, whether it can be kept or not. */
async function rememberAnswer(
  input: MemoryChatTurnInput,
  { text, nothingKnown = false }: TurnAnswer,
  timestamp: number,
): Promise<readonly Degradation[]> {
  try {
    await remember(input, { role: 'assistant', content: text, timestamp, nothingKnown });
    return [];
  } catch (error) {
    return [memoryDown(error, 'the answer may not have been remembered')];
  }
}
