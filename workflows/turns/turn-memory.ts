import { workflowInfo } from '@temporalio/workflow';
import type { Degradation, Recalled, SessionName } from '../../src/contracts/http/conversations';
import type { MemoryLimits, RecallQuery, TurnMessage } from '../../src/contracts/runs/turns';
import { NOTHING_RECALLED } from '../../src/contracts/runs/nothing-recalled';
import { memoryDown, recallStep, rememberStep } from './turn-steps';

/** What of a turn its memory needs. */
export interface TurnWithMemory extends SessionName {
  readonly messageIds: Readonly<Record<TurnMessage['role'], string>>;
  readonly memoryLimits: MemoryLimits;
}

/** What of a recall is the caller's choice. */
type RecallOptions = Omit<RecallQuery, keyof SessionName | 'text' | 'widely'>;

export interface TurnRecall {
  readonly recalled: Recalled;
  /** Why memory gave nothing, where it failed. */
  readonly problem?: Degradation;
  /** Milliseconds that it took, whatever came of it. */
  readonly time: number;
}

/**
 * Recalls what fits a text; nothing where no recall is wanted.
 * @param consequence what the turn does where memory fails, for its caller
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
    // A model that was chosen may fail, and rules answer then: they need the words that are related, too.
    const recalled = await recallStep({ userId, sessionId, text, widely: true, ...recall }, memoryLimits);
    return { recalled, time: recalled.time };
  } catch (error) {
    const problem = memoryDown(error, consequence);
    return { recalled: NOTHING_RECALLED, problem, time: Date.now() - started };
  }
}

/** A message of this run's turn, under the id that was chosen for its role. */
export function turnMessage(
  { userId, sessionId, messageIds }: TurnWithMemory,
  said: Pick<TurnMessage, 'role' | 'content' | 'timestamp' | 'nothingKnown'>,
): TurnMessage {
  return { userId, sessionId, turn: workflowInfo().workflowId, id: messageIds[said.role], ...said };
}

/** Stores messages; @returns what the turn goes on without, where memory failed. */
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
