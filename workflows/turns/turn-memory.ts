import { workflowInfo } from '@temporalio/workflow';
import type { Degradation, Recalled } from '../../src/contracts/http/conversations';
import {
  type MemoryLimits,
  type RecallOptions,
  type TurnInput,
  type TurnMessage,
  NOTHING_RECALLED,
} from '../../src/contracts/runs/turns';
import { memoryDown, recallStep, rememberStep } from './turn-steps';

/** The part of a turn's input that the steps of memory need. */
type TurnWithMemory = Pick<TurnInput, 'userId' | 'sessionId' | 'messageIds' | 'memoryLimits'>;

export interface TurnRecall {
  readonly recalled: Recalled;
  /** Why memory gave nothing; present if it failed. */
  readonly problem?: Degradation;
  /** How long the recall took, even if it failed, milliseconds. */
  readonly time: number;
}

/**
 * Recalls what matches a text. A memory that is unavailable does not fail the turn.
 * @param recall absent if the caller wants no recall
 * @param consequence what the result says that the turn did when memory failed
 */
export async function recallForTurn(
  { userId, sessionId, memoryLimits }: TurnWithMemory,
  text: string,
  recall: RecallOptions | undefined,
  consequence: string,
): Promise<TurnRecall> {
  if (recall === undefined) return { recalled: NOTHING_RECALLED, time: 0 };
  const started = Date.now();
  try {
    const recalled = await recallStep({ userId, sessionId, text, ...recall }, memoryLimits);
    return { recalled, time: recalled.time };
  } catch (error) {
    const problem = memoryDown(error, consequence);
    return { recalled: NOTHING_RECALLED, problem, time: Date.now() - started };
  }
}

/** Builds a message of this run's turn, under the id that the input has for its role. */
export function turnMessage(
  { userId, sessionId, messageIds }: TurnWithMemory,
  message: Pick<TurnMessage, 'role' | 'content' | 'timestamp' | 'nothingKnown'>,
): TurnMessage {
  return { userId, sessionId, turn: workflowInfo().workflowId, id: messageIds[message.role], ...message };
}

/** Stores messages. @returns if memory failed, the entry of the result that says so */
export async function rememberOrDegrade(
  messages: readonly TurnMessage[],
  limits: MemoryLimits,
  consequence: string,
): Promise<Degradation | undefined> {
  try {
    await rememberStep(messages, limits);
    return undefined;
  } catch (error) {
    return memoryDown(error, consequence);
  }
}
