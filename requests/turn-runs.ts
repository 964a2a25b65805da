import type { Approval } from '../src/contracts/http/approvals';
import type { SessionName } from '../src/contracts/http/conversations';
import { type EarlierTurn, TURN_START_LIMIT_MS } from '../src/contracts/runs/turns';
import type { TURN_PREFIXES } from '../src/contracts/runs/run-owner';
import type { Area } from '../src/contracts/runs/tools';
import { createKeyedSerializer } from '../src/base/async/keyed-serializer';
import { isRefusal, type Refusal, type SessionOrder } from '../src/conversation/session-order';
import { HoldfastError, isHoldfastError, messageOf } from '../src/base/errors';
import { pseudonymOfSession, type Pseudonyms, RUN_USER } from '../src/secrets/pseudonyms';
import { memoryErasing } from '../src/stores/memory/errors';
import type { RunClient } from '../temporal/runs/run-client';
import type { Starting } from './starting';
import { MAX_QUEUED_RUN_MS, MAX_RUN_MS } from './run-limits';
import { buildWorkflowId, type PreparedRun, startRun } from './start-runs';

/** A request for a turn of a conversation, which becomes a run. */
export interface RequestedTurn extends SessionName {
  /** The beginning of the workflow id. */
  readonly prefix: TurnPrefix;
  readonly area: Area;
  /** The content of the request. A request with the same key and other content is rejected. */
  readonly asked: unknown;
  /** @param after the previous turn, for which the run has to wait; undefined for the first turn */
  prepare(after: EarlierTurn | undefined): PreparedTurn | Promise<PreparedTurn>;
  /** Whether it waits behind a turn that itself waits for a person, which may take days; otherwise it is refused. */
  readonly behindPaused: boolean;
}

export interface PreparedTurn extends Omit<PreparedRun, 'subject' | 'label' | 'runTimeoutMs'> {
  /** Whether the turn may wait for a person, and so has no time limit as a whole. */
  readonly mayPause?: boolean;
}

/** The beginnings of the workflow ids of turns. */
export type TurnPrefix = (typeof TURN_PREFIXES)[number];

/** Starts turns in the order of their requests, and waits for them. */
export interface TurnRuns {
  /**
   * @throws HoldfastError `SESSION_BUSY` if too many turns of the session wait already; `SESSION_WAITING` if the
   * turn at work waits for a person; or as `startRun` does
   */
  take<R>(turn: RequestedTurn, context: Starting): Promise<R>;
}

export interface TurnRunsPorts {
  readonly client: RunClient;
  readonly places: SessionOrder;
  readonly pseudonyms: Pseudonyms;
  /** Whether a user's memories are being erased; a turn during that could store some of them again. */
  readonly isErasing: (userId: string) => Promise<boolean>;
  /** Reads the approvals that a run waits for. */
  readonly pendingApprovals: (workflowId: string) => Promise<readonly Approval[]>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** How far a request has come: `starting`: it asks Temporal to start a run; `started`: its run is known. */
type Progress = 'looking' | 'starting' | 'started';

/** Codes of errors after which the run may still be in progress. */
const NOT_OVER = new Set(['RUN_STILL_GOING', 'RUN_PAUSED', 'ENGINE_UNAVAILABLE', 'REQUEST_ABANDONED']);
/** Codes of errors after which the run may have been started, by this request or by another with the same key. */
const NOT_REFUSED = new Set(['ENGINE_UNAVAILABLE', 'RUN_CONFLICT']);

export function createTurnRuns(ports: TurnRunsPorts): TurnRuns {
  const { client, places, pseudonyms, isErasing, pendingApprovals, now } = ports;
  const serialize = createKeyedSerializer();

  /**
   * Takes a place in the session, before any other work and one request after another, because the places are in this
   * order.
   */
  const takePlace = (
    userId: string,
    session: string,
    workflowId: string,
    behindPaused: boolean,
  ): Promise<EarlierTurn | Refusal> =>
    serialize(session, async () => {
      if (await isErasing(userId)) throw memoryErasing();
      return places.take(session, workflowId, { behindPaused });
    });

  /**
   * Releases the place of a turn that is known to have ended or never to start. A place that stays delays others only
   * shortly.
   */
  async function releasePlace(
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
    async take<R>(turn: RequestedTurn, context: Starting) {
      const { userId, area, asked, behindPaused } = turn;
      const user = pseudonyms(RUN_USER, userId);
      const session = pseudonymOfSession(pseudonyms, turn);
      // A user's runs are found by their ids, even if the server has no search attributes.
      const prefix = `${turn.prefix}/${user}`;
      const workflowId = buildWorkflowId(prefix, context);
      let taken = await takePlace(userId, session, workflowId, behindPaused);
      let progress: Progress = 'looking';
      const releaseOwnPlace = (error?: unknown): void => {
        if (isRefusal(taken)) return;
        releasePlace(session, taken, progress, error).catch((problem: unknown) => {
          context.logger.warn({ reason: messageOf(problem) }, 'a place in a session could not be released');
        });
      };
      /** Called if there is no earlier run to join. */
      const prepare = async (): Promise<PreparedRun> => {
        // The place may be that of an earlier request with the same key, whose API was killed.
        if (!isRefusal(taken) && now() - taken.placedAt > TURN_START_LIMIT_MS) {
          taken = await places.retake(session, workflowId, { behindPaused });
        }
        if (isRefusal(taken) && taken.refused === 'paused') {
          const approvals = await pendingApprovals(taken.by);
          if (approvals.length > 0) throw sessionWaiting(approvals);
          // It was answered meanwhile.
          taken = await takePlace(userId, session, workflowId, true);
        }
        if (isRefusal(taken)) throw sessionBusy();
        const { after, placedAt } = taken;
        const { mayPause = false, ...prepared } = await turn.prepare(after);
        progress = 'starting';
        return {
          ...prepared,
          subject: { area, user, session, waitingFor: after === undefined ? undefined : 'earlier-turn' },
          // Earlier turns may wait for people.
          runTimeoutMs: mayPause ? undefined : after === undefined ? MAX_RUN_MS : MAX_QUEUED_RUN_MS,
          startBefore: placedAt + TURN_START_LIMIT_MS,
          placedAt,
        };
      };
      const onRun = (): void => {
        if (progress === 'starting') progress = 'started';
      };
      try {
        const result = await startRun<R>(client, { prefix, workflowId, asked, prepare, onRun }, context);
        releaseOwnPlace();
        return result;
      } catch (error) {
        releaseOwnPlace(error);
        throw error;
      }
    },
  };
}

function sessionWaiting(approvals: readonly Approval[]): HoldfastError {
  return new HoldfastError(
    'SESSION_WAITING',
    'The turn before this one waits for an approval; answer it, or wait behind that turn with options.onWaiting "queue"',
    { details: { approvals } },
  );
}

function sessionBusy(): HoldfastError {
  return new HoldfastError(
    'SESSION_BUSY',
    'Too many turns of this session wait already (SESSION_MAX_WAITING_TURNS); repeat the request when one of them has ended',
    { retryable: true },
  );
}
