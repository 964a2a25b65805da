import { ApplicationFailure, Context } from '@temporalio/activity';
import type { Recalled } from '../src/contracts/http/conversations';
import { needsModel } from '../src/contracts/runs/needs-model';
import { callTime } from '../src/contracts/runs/call-time';
import type { AnswerInput, RecallQuery, TurnAnswer, TurnMessage } from '../src/contracts/runs/turns';
import type { TurnFile } from '../src/contracts/http/files';
import type { EpisodicMemory } from '../src/contracts/http/memory';
import { asAttempt, modelTimeout } from './model-attempts';
import { noteText } from './live-text';
import type { Answerer } from '../src/conversation/answerer';
import { HoldfastError, messageOf } from '../src/base/errors';
import type { Messages } from '../src/memory/service/messages';
import type { MemoryRecall } from '../src/memory/search/recall';

/**
 * The state of a run as the Temporal server reports it. `over`: the run closed by itself. `cut off`: it was terminated
 * or timed out, at whatever point it was. `unknown`: the server knows no run of this id, not yet or not any more.
 */
export type RunState = 'running' | 'over' | 'cut off' | 'unknown';

export interface ConversationActivitiesPorts {
  readonly recall: MemoryRecall;
  readonly messages: Messages;
  readonly answerer: Answerer;
  /** @param placedAt as in `EarlierTurn` */
  readonly runState: (workflowId: string, placedAt?: number) => Promise<RunState>;
  /** Epoch milliseconds by the clock of the Temporal server, which deadlines are of; default `Date.now`. */
  readonly now?: () => number;
}

/** The steps that every turn of a conversation has. Each step may be repeated. */
export interface ConversationActivities {
  recallMemories(query: RecallQuery): Promise<Recalled>;
  /** Stores messages under the ids that they carry, so that a repeat stores nothing twice. */
  storeMessages(messages: readonly TurnMessage[]): Promise<EpisodicMemory[]>;
  /** @param files those that `input` has the heads of; absent if it has none */
  answerTurn(input: AnswerInput, files?: readonly TurnFile[]): Promise<TurnAnswer>;
  /**
   * Reads the state of a turn's run.
   * @param placedAt as in `EarlierTurn`; absent in runs that an older build started
   * @throws HoldfastError `ENGINE_UNAVAILABLE`, retryable
   */
  turnState(workflowId: string, placedAt?: number): Promise<RunState>;
  /**
   * Returns the state of a turn as soon as it differs from `state`. Until then every attempt fails with a retryable
   * error, because repeated attempts of an activity add no events to the history.
   */
  turnChange(question: TurnQuestion): Promise<RunState>;
}

/** What a turn asks about an earlier turn of its session. */
export interface TurnQuestion {
  readonly workflowId: string;
  readonly placedAt: number;
  readonly state: 'running' | 'unknown';
  /** From this time on (epoch milliseconds by the clock of the Temporal server), the state is returned even when it has not changed. */
  readonly until?: number;
}

export function createConversationActivities(ports: ConversationActivitiesPorts): ConversationActivities {
  const { recall, messages, answerer, now = Date.now } = ports;

  async function turnState(workflowId: string, placedAt?: number): Promise<RunState> {
    try {
      return await ports.runState(workflowId, placedAt);
    } catch (error) {
      // The error is retryable: a turn that gave up waiting would let later turns run at the same time as earlier ones.
      throw new HoldfastError('ENGINE_UNAVAILABLE', `Temporal cannot be asked: ${messageOf(error)}`, {
        retryable: true,
        cause: error,
      });
    }
  }

  return {
    recallMemories: (query) => recall.recall(query, Context.current().cancellationSignal),
    storeMessages: (each) => messages.store(each, Context.current().cancellationSignal),
    async answerTurn({ deadline, limits, ...question }, files) {
      const request = { ...question, files };
      const activity = Context.current();
      const { cancellationSignal: signal } = activity;
      const leftMs = deadline - now();
      const isByModel = needsModel(request);
      // Earlier attempts were lost with their workers and used up the model's time, so rules answer if they can.
      if (leftMs <= 0) {
        if (isByModel) throw modelTimeout(limits.timeoutMs);
        return answerer.answerAfterTimeout(request, { signal, timeoutMs: limits.timeoutMs });
      }
      const answer = (): Promise<TurnAnswer> =>
        answerer.answer(request, { signal, ...callTime(limits, leftMs), onText: noteText(activity) });
      return isByModel ? asAttempt(activity.info.attempt, limits, answer) : answer();
    },
    turnState,
    async turnChange({ workflowId, placedAt, state, until = Infinity }) {
      const currentState = await turnState(workflowId, placedAt);
      if (currentState !== state || now() >= until) return currentState;
      throw ApplicationFailure.create({
        type: 'TURN_UNCHANGED',
        message: state === 'running' ? 'the turn before has not ended' : 'the turn before is not known yet',
        category: 'BENIGN',
      });
    },
  };
}
