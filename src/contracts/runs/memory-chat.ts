import type { HeldFact } from '../facts';
import type { Degradation, Recalled, SessionName } from '../http/conversations';
import type { EarlierTurn, MemoryLimits, RecallQuery } from './turns';
import type { RunUsage } from '../http/budgets';
import type { TokenUsage } from '../http/llm';
import type { BudgetPolicy } from './budgets';
import type { ModelChoice, ModelLimits } from './workflows';

/** Input of the workflow that answers a message of memory chat. */
export interface MemoryChatTurnInput extends SessionName {
  readonly message: string;
  /** The turn before this one in its session; present where that may still be running. */
  readonly after?: EarlierTurn;
  /** ULIDs under which message and answer are stored. */
  readonly messageIds: { readonly user: string; readonly assistant: string };
  /** Absent: memory is not searched. */
  readonly recall?: Omit<RecallQuery, keyof SessionName | 'text' | 'widely'>;
  readonly choice: ModelChoice;
  readonly modelLimits: ModelLimits;
  readonly memoryLimits: MemoryLimits;
  /** Absent in turns of earlier builds, which have no limits. */
  readonly budget?: BudgetPolicy;
}

export interface MemoryChatTurnResult {
  readonly answer: string;
  /** The text of memories that the model was given. */
  readonly context: string;
  readonly recalled: Pick<Recalled, 'episodic' | 'semantic'>;
  /** The message as it is stored. */
  readonly stored: { readonly id: string; readonly content: string; readonly timestamp: string };
  /** When it was answered, ISO 8601. */
  readonly answeredAt: string;
  /** Ids of the memories that the answer is based on, where that is known. */
  readonly sources: readonly string[];
  /** The facts that it is based on, where that is known; absent in results of earlier builds. */
  readonly facts?: readonly HeldFact[];
  readonly provider: string;
  readonly model: string;
  readonly usage: TokenUsage;
  /** What the whole turn used; absent in results of earlier builds. */
  readonly runUsage?: RunUsage;
  readonly degraded: readonly Degradation[];
  readonly times: MemoryChatTimes;
}

/** Milliseconds. */
export interface MemoryChatTimes {
  /** Until the earlier turns of the session had ended. */
  readonly sessionWaitTime: number;
  readonly memorySearchTime: number;
  readonly llmResponseTime: number;
  /** The time of storing both messages. */
  readonly memoryStoreTime: number;
  /** From the beginning of the turn. */
  readonly executionTime: number;
}
