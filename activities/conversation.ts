import { ApplicationFailure, Context } from '@temporalio/activity';
import type { Recalled } from '../src/contracts/http/conversations';
import type { AnswerInput, RecallQuery, TurnAnswer, TurnMessage } from '../src/contracts/runs/turns';
import type { EpisodicMemory } from '../src/contracts/http/memory';
import type { Answerer } from '../src/conversation/answerer';
import { HoldfastError, messageOf } from '../src/base/errors';
import type { Messages } from '../src/memory/service/messages';
import type { MemoryRecall } from '../src/memory/search/recall';

/**
 * What the engine says of a run. `cut off`: it was terminated or timed out, wherever it was. `unknown`: there is none of this id,
 * not yet or not any more.
 */
export type RunState = 'running' | 'over' | 'cut off' | 'unknown';

export interface ConversationActivitiesPorts {
  readonly recall: MemoryRecall;
  readonly messages: Messages;
  readonly answerer: Answerer;
  /** @param placedAt as in `EarlierTurn` */
  readonly runState: (workflowId: string, placedAt?: number) => Promise<RunState>;
}

/** The steps of every turn of a conversation; each may be repeated. */
export interface ConversationActivities {
  recallMemories(query: RecallQuery): Promise<Recalled>;
  /** Stores messages under the ids they have. */
  storeMessages(messages: readonly TurnMessage[]): Promise<EpisodicMemory[]>;
  answerTurn(input: AnswerInput): Promise<TurnAnswer>;
  /** @param placedAt as in `EarlierTurn`; absent in runs that an older build began */
  turnState(workflowId: string, placedAt?: number): Promise<RunState>;
  /**
   * The state of a turn as soon as it is another one. Until then every attempt fails in a way that may be repeated, because the
   * attempts at an activity add no events to a history.
   */
  turnChange(question: TurnQuestion): Promise<RunState>;
}

/** What a turn asks about one before it. */
export interface TurnQuestion {
  readonly workflowId: string;
  readonly placedAt: number;
  readonly state: 'running' | 'unknown';
  /** Epoch milliseconds from which on the state is returned whatever it is. */
  readonly until?: number;
}

export function createConversationActivities(ports: ConversationActivitiesPorts): ConversationActivities {
  const { recall, messages, answerer } = ports;

  async function turnState(workflowId: string, placedAt?: number): Promise<RunState> {
    try {
      return await ports.runState(workflowId, placedAt);
    } catch (error) {
      // A turn that could not ask would let those behind it run beside those before it.
      throw new HoldfastError('ENGINE_UNAVAILABLE', `Temporal cannot be asked: ${messageOf(error)}`, {
        retryable: true,
        cause: error,
      });
    }
  }

  return {
    recallMemories: (query) => recall.recall(query, Context.current().cancellationSignal),
    storeMessages: (each) => messages.store(each, Context.current().cancellationSignal),
    answerTurn({ deadline, limits, ...request }) {
      const { cancellationSignal: signal } = Context.current();
      const timeoutMs = deadline - Date.now();
      // An attempt after others that were lost with their workers: there is no time left for a model.
      if (timeoutMs <= 0) return answerer.answerLate(request, { signal, timeoutMs: limits.timeoutMs });
      return answerer.answer(request, { signal, timeoutMs });
    },
    turnState,
    async turnChange({ workflowId, placedAt, state, until = Infinity }) {
      const found = await turnState(workflowId, placedAt);
      if (found !== state || Date.now() >= until) return found;
      throw ApplicationFailure.create({
        type: 'TURN_UNCHANGED',
        message: state === 'running' ? 'the turn before has not ended' : 'the turn before is not known yet',
        category: 'BENIGN',
      });
    },
  };
}
