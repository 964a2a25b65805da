import type { AgentTurnInput } from '../../src/contracts/runs/agent';
import type { Degradation, Recalled } from '../../src/contracts/http/conversations';
import type { FilledQuery, TurnAnswer } from '../../src/contracts/runs/turns';
import type { Classification } from '../../src/contracts/http/intents';
import type { ModelChoice } from '../../src/contracts/runs/workflows';
import type { TurnTools } from './turn-tools';

/**
 * What is known of a turn when its work begins. Each step of the turn takes the state of the step before and returns it with
 * what it found out itself; the types below are in that order.
 */
export interface TurnState {
  readonly input: AgentTurnInput;
  /** How long the turn waited for those before it in its session, milliseconds. */
  readonly sessionWaitTime: number;
  /** When the waiting ended, epoch milliseconds. */
  readonly startedAt: number;
}

/** The query is classified, and memory was asked. */
export interface UnderstoodTurn extends TurnState {
  readonly classification: Classification;
  readonly recalled: Recalled;
  /** Why memory gave nothing, where it failed. */
  readonly memoryProblem?: Degradation | undefined;
  /** Milliseconds. */
  readonly memorySearchTime: number;
  /** The query with values from memory in it, where rules needed that so far. */
  readonly filled?: FilledQuery | undefined;
  /** The model of the steps that follow: the caller's, or the built-in rules where no worker asks models. */
  readonly choice: ModelChoice;
  /** Why no worker asked the model that classifies; the turn then goes on by the built-in rules and waits for none again. */
  readonly modelNotAsked?: string | undefined;
}

/** The tools that the query needs have run. */
export interface WorkedTurn extends UnderstoodTurn {
  /** Absent where the query needs no tools. */
  readonly tools?: TurnTools | undefined;
}

export interface AnsweredTurn extends WorkedTurn {
  readonly answer: TurnAnswer;
}

/** Query and answer are in memory, or it is known why they are not. */
export interface RememberedTurn extends AnsweredTurn {
  readonly notRemembered?: Degradation | undefined;
  /** Milliseconds. */
  readonly memoryStoreTime: number;
}
