import type { SessionName } from '../../src/contracts/http/conversations';
import type { EarlierTurn } from '../../src/contracts/runs/turns';
import type { Area } from '../../src/contracts/runs/tools';
import { TURN_START_LIMIT_MS } from '../../src/contracts/runs/session-times';
import { createKeyedSerializer } from '../../src/conversation/keyed-serializer';
import type { SessionOrder } from '../../src/conversation/session-order';
import { HoldfastError, isHoldfastError, messageOf } from '../../src/base/errors';
import type { Pseudonyms } from '../../src/secrets/pseudonyms';
import { RUN_USER } from '../../src/secrets/pseudonyms';
import { memoryErasing } from '../../src/stores/memory/errors';
import type { TURN_PREFIXES } from '../../temporal/user-runs';
import type { RunClient } from '../../temporal/run-client';
import type { RequestContext } from '../http/route';
import type { PreparedRun } from './start-runs';
import { MAX_RUN_MS } from './run-limits';
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
  /** @throws HoldfastError `SESSION_BUSY` where too many turns of the session wait already; what `startRun` throws */
  take<R>(turn: RequestedTurn, context: RequestContext): Promise<R>;
}

export interface TurnRunsPorts {
  readonly client: RunClient;
  readonly places: SessionOrder;
  readonly pseudonyms: Pseudonyms;
  /** Whether all of a user is being erased: a turn would carry some of it on. */
  readonly isErasing: (userId: string) => Promise<boolean>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** How far a request came: whether it asked Temporal to start a run, and whether a run is known. */
type Progress = 'looking' | 'starting' | 'started';

/** The run may be under way, or may be started yet. */
const NOT_OVER = new Set(['RUN_STILL_GOING', 'ENGINE_UNAVAILABLE', 'REQUEST_ABANDONED']);
/** The start may have been taken, or another request with the same key has started the run. */
const NOT_REFUSED = new Set(['ENGINE_UNAVAILABLE', 'RUN_CONFLICT']);

export function createTurnRuns({ client, places, pseudonyms, isErasing, now }: TurnRunsPorts): TurnRuns {
  const serialize = createKeyedSerializer();

  /** Before anything else that takes time, and one request after another: their order is that of the session. */
  const takePlace = (userId: string, session: string, workflowId: string): Promise<EarlierTurn | undefined> =>
    serialize(session, async () => {
      if (await isErasing(userId)) throw memoryErasing();
      return places.take(session, workflowId);
    });

  /** Only what is known to have ended, or never to start, gives its place up: a place too many holds up nothing for long. */
  async function settle(
    session: string,
    place: EarlierTurn,
    progress: Progress,
    error: unknown,
  ): Promise<void> {
    if (progress === 'looking') return places.withdraw(session, place);
    if (error === undefined) return places.leave(session, place, 'in-order');
    if (!isHoldfastError(error)) return;
    if (progress === 'starting' && !NOT_REFUSED.has(error.code)) return places.withdraw(session, place);
    if (progress === 'started' && !NOT_OVER.has(error.code))
      return places.leave(session, place, 'unknown-order');
  }

  return {
    async take<R>(turn: RequestedTurn, context: RequestContext) {
      const { userId, sessionId, area, asked } = turn;
      const user = pseudonyms(RUN_USER, userId);
      const session = pseudonyms('run-session', JSON.stringify([userId, sessionId]));
      // A user's runs are found by their ids, also where the server has no search attributes.
      const prefix = `${turn.prefix}/${user}`;
      const workflowId = workflowIdOf(prefix, context);
      let place = await takePlace(userId, session, workflowId);
      let progress: Progress = 'looking';
      const settlePlace = (error?: unknown): void => {
        if (place === undefined) return;
        settle(session, place, progress, error).catch((problem: unknown) => {
          context.logger.warn({ reason: messageOf(problem) }, 'a place in a session was not left');
        });
      };
      /** Called where no run is there to be joined. */
      const prepare = async (): Promise<PreparedRun> => {
        // It may be the place of an earlier request with the same key whose API was killed.
        if (place !== undefined && now() - place.placedAt > TURN_START_LIMIT_MS) {
          place = await places.retake(session, workflowId);
        }
        if (place === undefined) throw sessionBusy();
        const { after, placedAt } = place;
        const prepared = turn.prepare(after);
        progress = 'starting';
        return {
          ...prepared,
          subject: { area, user, session },
          // It is not known how long the turns before it take; the steps of the turn itself are bounded one by one.
          runTimeoutMs: MAX_RUN_MS,
          startBefore: placedAt + TURN_START_LIMIT_MS,
          placedAt,
        };
      };
      const onRun = (): void => {
        if (progress === 'starting') progress = 'started';
      };
      try {
        const result = await startRun<R>(client, { prefix, workflowId, asked, prepare, onRun }, context);
        settlePlace();
        return result;
      } catch (error) {
        settlePlace(error);
        throw error;
      }
    },
  };
}

function sessionBusy(): HoldfastError {
  return new HoldfastError(
    'SESSION_BUSY',
    'Too many turns of this session wait already (SESSION_MAX_WAITING_TURNS); repeat the request when one of them has ended',
    { retryable: true },
  );
}
