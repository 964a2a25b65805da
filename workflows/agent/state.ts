import type { AgentTurnInput } from '../../src/contracts/runs/agent';
import type { TurnFile } from '../../src/contracts/http/files';
import type { Degradation, Recalled } from '../../src/contracts/http/conversations';
import type { TurnAnswer } from '../../src/contracts/runs/turns';
import type { Classification } from '../../src/contracts/http/intents';
import type { NotTaken } from '../../src/contracts/queues';
import type { ModelChoice } from '../../src/contracts/runs/workflows';
import type { CalledTurns } from '../planner/called-turns';
import type { RunBudget } from '../steps/run-budget';
import type { TurnTools } from './turn-tools';

/**
 * The state of a turn when its work begins. Each step of the turn takes the state that the previous step returned, and
 * adds what it found out itself. The types below are in the order of the steps.
 */
export interface TurnState {
  readonly input: AgentTurnInput;
  /** What the user has sent with the query; absent: nothing. */
  readonly files?: readonly TurnFile[] | undefined;
  /** What the turn has used, and may use. */
  readonly budget: RunBudget;
  /** The turns of other agents that it calls. */
  readonly calledTurns: CalledTurns;
  /** How long the turn waited for the earlier turns of its session, milliseconds. */
  readonly sessionWaitTime: number;
  /** When the waiting ended, epoch milliseconds. */
  readonly startedAt: number;
}

/** The state after the query was classified and memory was searched. */
export interface UnderstoodTurn extends TurnState {
  readonly classification: Classification;
  readonly recalled: Recalled;
  /** Why memory gave nothing; present if it failed. */
  readonly memoryProblem?: Degradation | undefined;
  /** Milliseconds. */
  readonly memorySearchTime: number;
  /**
   * The model of the following steps: the caller's, or the built-in rules if no worker polls the queue of models.
   * These answer then, and choose no tools.
   */
  readonly choice: ModelChoice;
  /** Why no worker asked the model to classify. The turn does not wait for one again. */
  readonly modelNotAsked?: NotTaken | undefined;
}

/** The state after the tools that the query needs have run. */
export interface WorkedTurn extends UnderstoodTurn {
  /** Absent if the query needs no tools. */
  readonly tools?: TurnTools | undefined;
}

export interface AnsweredTurn extends WorkedTurn {
  readonly answer: TurnAnswer;
}

/** The state after query and answer were stored in memory, or after that failed. */
export interface RememberedTurn extends AnsweredTurn {
  readonly notRemembered?: Degradation | undefined;
  /** Milliseconds. */
  readonly memoryStoreTime: number;
}
