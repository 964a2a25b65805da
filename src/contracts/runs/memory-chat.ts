import type { Degradation, Recalled, SessionName } from '../http/conversations';
import type { EarlierTurn, MemoryLimits, RecallQuery } from './turns';
import type { TokenUsage } from '../http/llm';
import type { ModelChoice, ModelLimits } from './workflows';

/** A message of memory chat that is to be answered. */
export interface MemoryChatTurnInput extends SessionName {
  readonly message: string;
  /** The turn before, which may still be under way. */
  readonly after?: EarlierTurn;
  /** Ids that message and answer are kept under. */
  readonly messageIds: { readonly user: string; readonly assistant: string };
  /** Absent: memory is not asked. */
  readonly recall?: Omit<RecallQuery, keyof SessionName | 'text' | 'widely'>;
  readonly choice: ModelChoice;
  readonly modelLimits: ModelLimits;
  readonly memoryLimits: MemoryLimits;
}

export interface MemoryChatTurnResult {
  readonly answer: string;
  /** The text of memories that the model was given. */
  readonly context: string;
  readonly recalled: Pick<Recalled, 'episodic' | 'semantic'>;
  /** The message as it is kept. */
  readonly stored: { readonly id: string; readonly content: string; readonly timestamp: string };
  /** When it was answered, ISO 8601. */
  readonly answeredAt: string;
  /** The memories that the answer rests on, where that is known. */
  readonly sources: readonly string[];
  readonly provider: string;
  readonly model: string;
  readonly usage: TokenUsage;
  readonly degraded: readonly Degradation[];
  readonly times: MemoryChatTimes;
}

/** Milliseconds. */
export interface MemoryChatTimes {
  /** Until the turn before had ended. */
  readonly sessionWaitTime: number;
  readonly memorySearchTime: number;
  readonly llmResponseTime: number;
  /** Of both messages. */
  readonly memoryStoreTime: number;
  /** From the beginning of the turn. */
  readonly executionTime: number;
}
