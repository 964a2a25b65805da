import type { Recalled } from '../http/conversations';
import type { TurnInput, TurnResult } from './turns';

/** Input of the workflow that answers a message of memory chat. */
export interface MemoryChatTurnInput extends TurnInput {
  readonly message: string;
}

export interface MemoryChatTurnResult extends TurnResult {
  readonly answer: string;
  /** The text of memories that the model was given. */
  readonly context: string;
  readonly recalled: Pick<Recalled, 'episodic' | 'semantic'>;
  /** The message as it is stored. */
  readonly stored: { readonly id: string; readonly content: string; readonly timestamp: string };
  /** When it was answered, ISO 8601. */
  readonly answeredAt: string;
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
