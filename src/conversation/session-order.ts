import { MAX_DEADLINE_MS } from '../contracts/http/approvals';
import {
  type EarlierTurn,
  PLACE_GIVEN_UP_AFTER_MS,
  PLACE_LONG_PAST_MS,
  TURN_START_LIMIT_MS,
} from '../contracts/runs/turns';
import { HoldfastError } from '../base/errors';
import { CONFLICT, untilNoConflict } from '../stores/compare-and-set';
import type { TenantDocuments } from '../stores/documents';
import {
  readQueue,
  type StoredQueue,
  toEarlierTurn,
  toStoredQueue,
  type TurnQueue,
  withoutPlace,
} from './session-queue';

export interface SessionOrderPorts {
  readonly documents: TenantDocuments;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Max number of turns that wait in one session. */
  readonly maxWaiting: number;
  /** Asks the engine for the state of a place's run; called only if a turn takes a place behind others. */
  readonly runState: (
    workflowId: string,
    placedAt: number,
  ) => Promise<'running' | 'paused' | 'over' | 'cut off' | 'unknown'>;
}

/**
 * What a request knows about the end of the turn that it started. `in-order`: the turn had waited for all turns before
 * it. `unknown-order`: it ended, and may not have waited.
 */
export type TurnEnd = 'in-order' | 'unknown-order';

/** Why a request gets no place: too many turns wait, or the turn at work waits for a person. */
export type Refusal = { readonly refused: 'full' } | { readonly refused: 'paused'; readonly by: string };

export function isRefusal(taken: EarlierTurn | Refusal): taken is Refusal {
  return 'refused' in taken;
}

/**
 * The order of the turns of each session, shared by all processes. A request takes a place when it arrives; its turn
 * begins when all turns before it have ended. All methods throw `STORE_UNAVAILABLE` (retryable).
 */
export interface SessionOrder {
  /**
   * Takes the place at the end of the queue. A run that has a place already keeps it and shares it with this request.
   * @param session a pseudonym of the session
   * @param behindPaused whether it takes a place behind a turn that waits for a person
   * @returns the place, with the places before it in `after`; a refusal, without any change, if it gets none
   */
  take(
    session: string,
    workflowId: string,
    options?: { readonly behindPaused: boolean },
  ): Promise<EarlierTurn | Refusal>;
  /**
   * As `take`, for a run that no request has started. A place from which the run can no longer be started is replaced
   * by one at the end of the queue; if that is refused, the old place stays.
   * @throws HoldfastError `ENGINE_UNAVAILABLE` (retryable) for the few seconds in which another request may still start
   * the run
   */
  retake(
    session: string,
    workflowId: string,
    options?: { readonly behindPaused: boolean },
  ): Promise<EarlierTurn | Refusal>;
  /** Gives back a place with which this request started no run. A place that another request took too stays. */
  withdraw(session: string, place: EarlierTurn): Promise<void>;
  /** Removes the place of a turn that has ended; if it ended in order, the places before it as well. */
  leave(session: string, place: EarlierTurn, end: TurnEnd): Promise<void>;
}

export const COLLECTION = 'session-places';
/** An empty queue that has not changed for this long is forgotten. */
export const FORGOTTEN_AFTER_MS = 2 * 86_400_000;
/**
 * A queue with places is kept for longer than a turn may live: a day, or as long as four people may take to approve one
 * call after another.
 */
const PLACES_KEPT_MS = FORGOTTEN_AFTER_MS + 4 * MAX_DEADLINE_MS;

/** How long the engine is not asked after it did not answer. */
const ASK_AGAIN_AFTER_MS = 5_000;
/** How many sessions are remembered for which the engine did not answer. */
const MAX_UNANSWERED = 10_000;

interface Change<T> {
  /** Absent: the queue stays as it is. */
  readonly queue?: TurnQueue;
  readonly result: T;
}

export function createSessionOrder(ports: SessionOrderPorts): SessionOrder {
  const { documents, now, maxWaiting, runState } = ports;

  // A queue is changed and never deleted, because versions distinguish its states only as long as the document exists.
  const writeQueue = (session: string, value: StoredQueue, ifVersion: number): Promise<boolean> =>
    documents.write(
      [
        {
          type: 'put',
          collection: COLLECTION,
          key: session,
          value,
          ifVersion,
          expiresAt: now() + (value.over === true ? FORGOTTEN_AFTER_MS : PLACES_KEPT_MS),
        },
      ],
      { durability: 'process' },
    );

  const change = <T>(
    session: string,
    edit: (queue: TurnQueue) => Promise<Change<T>> | Change<T>,
  ): Promise<T> =>
    untilNoConflict('the place in a session', async () => {
      const stored = await documents.get<StoredQueue>(COLLECTION, session);
      const { queue, result } = await edit(readQueue(stored?.value));
      if (queue === undefined) return result;
      return (await writeQueue(session, toStoredQueue(queue), stored?.version ?? 0)) ? result : CONFLICT;
    });

  async function append(
    session: string,
    queue: TurnQueue,
    workflowId: string,
    behindPaused: boolean,
  ): Promise<Change<EarlierTurn | Refusal>> {
    const { open, pausedBy } = await withoutEndedFront(session, queue);
    if (pausedBy !== undefined && !behindPaused) return { result: { refused: 'paused', by: pausedBy } };
    const before = open.length > maxWaiting ? await withoutEnded(session, open) : open;
    if (before.length > maxWaiting) return { result: { refused: 'full' } };
    const place = { workflowId, placedAt: now() };
    return { queue: [...before, place], result: toEarlierTurn(before, place) };
  }

  /** By session, the time until which the engine is not asked. The sessions are those of requests while it did not answer. */
  const unanswered = new Map<string, number>();

  /** Requests of a session ask one after another, so an engine that hangs is left alone for some seconds. */
  async function ask(
    session: string,
    { workflowId, placedAt }: TurnQueue[number],
  ): ReturnType<SessionOrderPorts['runState']> {
    if (now() < (unanswered.get(session) ?? 0)) return 'running';
    unanswered.delete(session);
    try {
      return await runState(workflowId, placedAt);
    } catch {
      if (unanswered.size >= MAX_UNANSWERED) unanswered.clear();
      unanswered.set(session, now() + ASK_AGAIN_AFTER_MS);
      return 'running';
    }
  }

  /** Whether the turn of a place may still begin (`unknown`) or go on. `running` if the engine cannot be asked. */
  async function progressOf(
    session: string,
    place: TurnQueue[number],
    givenUpAfterMs: number,
  ): Promise<'running' | 'paused' | 'unknown' | 'ended'> {
    const state = await ask(session, place);
    if (state === 'running' || state === 'paused') return state;
    return state === 'unknown' && now() - place.placedAt <= givenUpAfterMs ? 'unknown' : 'ended';
  }

  /**
   * Drops the first places, as long as their turns have ended. A request that does not wait for its turn leaves such a
   * place, for which the next turn would wait in vain.
   * @returns the places that are left, and the turn at work if that waits for a person: that of the first place, or,
   * if the run of the first place was never seen, perhaps that of the second one, which does not wait for it for ever
   */
  async function withoutEndedFront(
    session: string,
    queue: TurnQueue,
  ): Promise<{ readonly open: TurnQueue; readonly pausedBy?: string }> {
    let open: TurnQueue | undefined;
    for (const [at, place] of queue.entries()) {
      // The clock of the process that took the place may be behind, and the waiting turn itself gives up a place that is
      // not used.
      const progress = await progressOf(session, place, PLACE_LONG_PAST_MS);
      if (progress === 'ended') continue;
      const left = open ?? queue.slice(at);
      if (progress === 'paused') return { open: left, pausedBy: place.workflowId };
      if (progress === 'running' || open !== undefined) return { open: left };
      open = left;
    }
    return { open: open ?? [] };
  }

  /** Drops all places of turns that have ended. */
  async function withoutEnded(session: string, queue: TurnQueue): Promise<TurnQueue> {
    const states = await Promise.all(
      queue.map((place) => progressOf(session, place, PLACE_GIVEN_UP_AFTER_MS)),
    );
    return queue.filter((_, at) => states[at] !== 'ended');
  }

  /** Returns the place that a run has, and marks it as shared by several requests. */
  function share(queue: TurnQueue, ownPlace: TurnQueue[number]): Change<EarlierTurn> {
    const at = queue.indexOf(ownPlace);
    const [before, later] = [queue.slice(0, at), queue.slice(at + 1)];
    const result = toEarlierTurn(before, ownPlace);
    return ownPlace.shared === true
      ? { result }
      : { queue: [...before, { ...ownPlace, shared: true }, ...later], result };
  }

  return {
    take: (session, workflowId, { behindPaused } = { behindPaused: true }) =>
      change<EarlierTurn | Refusal>(session, (queue) => {
        const ownPlace = queue.find((place) => place.workflowId === workflowId);
        // A run with two places would wait for turns that wait for its first place.
        return ownPlace === undefined
          ? append(session, queue, workflowId, behindPaused)
          : share(queue, ownPlace);
      }),
    retake: (session, workflowId, { behindPaused } = { behindPaused: true }) =>
      change<EarlierTurn | Refusal>(session, (queue) => {
        const ownPlace = queue.find((place) => place.workflowId === workflowId);
        const age = now() - (ownPlace?.placedAt ?? 0);
        if (ownPlace === undefined || age > PLACE_GIVEN_UP_AFTER_MS)
          return append(
            session,
            queue.filter((place) => place !== ownPlace),
            workflowId,
            behindPaused,
          );
        if (age > TURN_START_LIMIT_MS) throw startUnconfirmed();
        return share(queue, ownPlace);
      }),
    withdraw: (session, place) =>
      change(session, (queue) => {
        const at = indexOf(queue, place);
        if (at === -1 || queue[at]?.shared === true) return { result: undefined };
        return { queue: withoutPlace(queue, at), result: undefined };
      }),
    leave: (session, place, end) =>
      change(session, (queue) => {
        const at = indexOf(queue, place);
        if (at === -1) return { result: undefined };
        return {
          queue: end === 'in-order' ? queue.slice(at + 1) : withoutPlace(queue, at),
          result: undefined,
        };
      }),
  };
}

/** Compares the time too, because a run may have another place by now. */
function indexOf(queue: TurnQueue, { workflowId, placedAt }: EarlierTurn): number {
  return queue.findIndex((place) => place.workflowId === workflowId && place.placedAt === placedAt);
}

function startUnconfirmed(): HoldfastError {
  const reason = 'an earlier request with this Idempotency-Key did not start its turn in time';
  return new HoldfastError('ENGINE_UNAVAILABLE', `Try again in a few seconds: ${reason}`, {
    details: { service: 'temporal', reason },
    retryable: true,
  });
}
