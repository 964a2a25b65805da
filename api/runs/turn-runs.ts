import type { EarlierTurn, SessionName } from '../../src/contracts/conversations';
import type { Area } from '../../src/contracts/runs';
import type { SessionPlaces } from '../../src/conversation/session-places';
import { isHoldfastError, messageOf } from '../../src/errors';
import type { Pseudonyms } from '../../src/secrets/pseudonyms';
import { RUN_USER } from '../../src/secrets/pseudonyms';
import { memoryErasing } from '../../src/stores/memory/errors';
import type { TURN_PREFIXES } from '../../temporal/user-runs';
import type { RunClient } from '../../temporal/run-client';
import type { RequestContext } from '../http/route';
import type { PreparedRun } from './start-runs';
import { LONGEST_RUN_MS } from './run-limits';
import { startRun, workflowIdOf } from './start-runs';

/** A turn of a conversation, which is a run. */
export interface RequestedTurn extends SessionName {
  /** Begins the workflow id. */
  readonly prefix: TurnPrefix;
  readonly area: Area;
  /** What was asked, by which a repeat with the same key is told from another request. */
  readonly asked: unknown;
  /** @param after the turn before, which the run has to wait for */
  prepare(after: EarlierTurn | undefined): Omit<PreparedRun, 'subject' | 'label' | 'runTimeoutMs'>;
}

/** Turns, by what their workflow ids begin with. */
export type TurnPrefix = (typeof TURN_PREFIXES)[number];

/** Starts turns in the order in which they were asked for, and waits for them. */
export interface TurnRuns {
  /** @throws what `startRun` throws */
  take<R>(turn: RequestedTurn, context: RequestContext): Promise<R>;
}

export interface TurnRunsPorts {
  readonly client: RunClient;
  readonly places: SessionPlaces;
  readonly pseudonyms: Pseudonyms;
  /** Whether all of a user is being erased: a turn would carry some of it on. */
  readonly isErasing: (userId: string) => Promise<boolean>;
}

/** The run may go on, or begin yet. */
const NOT_OVER = new Set(['RUN_STILL_GOING', 'ENGINE_UNAVAILABLE', 'REQUEST_ABANDONED']);

export function createTurnRuns({ client, places, pseudonyms, isErasing }: TurnRunsPorts): TurnRuns {
  return {
    async take<R>(turn: RequestedTurn, context: RequestContext) {
      const { userId, sessionId, area, asked } = turn;
      const user = pseudonyms(RUN_USER, userId);
      const session = pseudonyms('run-session', JSON.stringify([userId, sessionId]));
      // A user's runs are found by their ids, also where the server has no search attributes.
      const prefix = `${turn.prefix}/${user}`;
      const workflowId = workflowIdOf(prefix, context);
      if (await isErasing(userId)) throw memoryErasing();
      // Before anything else that takes time: the order of the requests is the order of the session.
      const after = await places.take(session, workflowId);
      const leave = (): void => {
        places.leave(session, workflowId).catch((error: unknown) => {
          context.logger.warn({ reason: messageOf(error) }, 'a place in a session was not left');
        });
      };
      try {
        const prepare = (): Promise<PreparedRun> =>
          Promise.resolve({
            ...turn.prepare(after),
            subject: { area, user, session },
            // How long turns before it take nobody knows; the steps of the turn itself are bounded one by one.
            runTimeoutMs: LONGEST_RUN_MS,
          });
        const result = await startRun<R>(client, { prefix, workflowId, asked, prepare }, context);
        leave();
        return result;
      } catch (error) {
        if (!isHoldfastError(error) || !NOT_OVER.has(error.code)) leave();
        throw error;
      }
    },
  };
}
