import { Context } from '@temporalio/activity';
import type {
  AnswerInput,
  RecallQuery,
  Recalled,
  TurnAnswer,
  TurnMessage,
} from '../src/contracts/conversations';
import type { EpisodicMemory } from '../src/contracts/memory';
import type { Answerer } from '../src/conversation/answerer';
import type { Messages } from '../src/memory/messages';
import type { MemoryRecall } from '../src/memory/recall';

/**
 * What the engine says of a run. `cut off`: it was terminated or timed out, wherever it was. `unknown`: there is none of this id,
 * not yet or not any more.
 */
export type RunState = 'running' | 'over' | 'cut off' | 'unknown';

export interface ConversationActivitiesPorts {
  readonly recall: MemoryRecall;
  readonly messages: Messages;
  readonly answerer: Answerer;
  readonly runState: (workflowId: string) => Promise<RunState>;
}

/** The steps of every turn of a conversation; each may be repeated. */
export interface ConversationActivities {
  recallMemories(query: RecallQuery): Promise<Recalled>;
  /** Stores messages under the ids they have. */
  storeMessages(messages: readonly TurnMessage[]): Promise<EpisodicMemory[]>;
  answerTurn(input: AnswerInput): Promise<TurnAnswer>;
  turnState(workflowId: string): Promise<RunState>;
}

export function createConversationActivities(ports: ConversationActivitiesPorts): ConversationActivities {
  const { recall, messages, answerer, runState } = ports;
  return {
    recallMemories: (query) => recall.recall(query),
    storeMessages: (each) => messages.store(each),
    answerTurn({ deadline, limits, ...request }) {
      const { cancellationSignal: signal } = Context.current();
      const timeoutMs = deadline - Date.now();
      // An attempt after others that were lost with their workers: there is no time left for a model.
      if (timeoutMs <= 0) return answerer.answerLate(request, { signal, timeoutMs: limits.timeoutMs });
      return answerer.answer(request, { signal, timeoutMs });
    },
    turnState: runState,
  };
}
