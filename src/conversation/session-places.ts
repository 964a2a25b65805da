import type { EarlierTurn } from '../contracts/runs/turns';
import { PLACE_GIVEN_UP_AFTER_MS, TURN_START_LIMIT_MS } from '../contracts/runs/session-line';
import { HoldfastError } from '../base/errors';
import { CONFLICT, untilNoConflict } from '../stores/compare-and-set';
import type { DocumentStore } from '../stores/documents';
import type { Line, StoredLine } from './session-line';
import { lineOf, storedLine, turnBehind, withoutPlace } from './session-line';

export interface SessionPlacesPorts {
  readonly documents: DocumentStore;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Max number of turns that wait in one session. */
  readonly maxWaiting: number;
  /** What the engine says of the run of a place; asked only where a line is full. */
  readonly runState: (
    workflowId: string,
    placedAt: number,
  ) => Promise<'running' | 'over' | 'cut off' | 'unknown'>;
}

/** How a request that started its turn saw it end. `in its turn`: it had waited for all turns before it. */
export type TurnEnd = 'in its turn' | 'anyhow';

/**
 * The order of the turns of each session, one for all processes. A request takes a place when it arrives; its turn begins when
 * those before it have ended. All methods throw `STORE_UNAVAILABLE` (retryable).
 */
export interface SessionPlaces {
  /**
   * Takes the place at the end of the line. A run that has a place keeps it, and shares it with this request.
   * @param session a pseudonym of the session
   * @returns the place, with those before it in `after`; undefined where the line is full, which changes nothing
   */
  take(session: string, workflowId: string): Promise<EarlierTurn | undefined>;
  /**
   * As `take`, for a run that no request has started: a place from which it can be started no longer is given up for one at the
   * end of the line.
   * @throws HoldfastError `ENGINE_UNAVAILABLE` (retryable) for the few seconds in which it is not known whether it is started yet
   */
  retake(session: string, workflowId: string): Promise<EarlierTurn | undefined>;
  /** Gives a place back that this request started no run with. A place that another request took too stays. */
  withdraw(session: string, place: EarlierTurn): Promise<void>;
  /** Removes the place of a turn that has ended; of one that had its turn, the places before it as well. */
  leave(session: string, place: EarlierTurn, end: TurnEnd): Promise<void>;
}

const COLLECTION = 'session-places';
/** No turn lives longer than a day; a line in which nothing happened for this long starts anew. */
const FORGOTTEN_AFTER_MS = 2 * 86_400_000;

interface Change<T> {
  /** Absent: as it is. */
  readonly line?: Line;
  readonly result: T;
}

export function createSessionPlaces(ports: SessionPlacesPorts): SessionPlaces {
  const { documents, now, maxWaiting, runState } = ports;

  // A line is changed and never deleted, because versions tell its states apart only as long as it is there.
  const put = (session: string, value: StoredLine, ifVersion: number): Promise<boolean> =>
    documents.write(
      [
        {
          type: 'put',
          collection: COLLECTION,
          key: session,
          value,
          ifVersion,
          expiresAt: now() + FORGOTTEN_AFTER_MS,
        },
      ],
      { durability: 'process' },
    );

  const change = <T>(session: string, edit: (line: Line) => Promise<Change<T>> | Change<T>): Promise<T> =>
    untilNoConflict('the place in a session', async () => {
      const stored = await documents.get<StoredLine>(COLLECTION, session);
      const { line, result } = await edit(lineOf(stored?.value));
      if (line === undefined) return result;
      return (await put(session, storedLine(line), stored?.version ?? 0)) ? result : CONFLICT;
    });

  async function append(line: Line, workflowId: string): Promise<Change<EarlierTurn | undefined>> {
    const before = line.length > maxWaiting ? await stillThere(line) : line;
    if (before.length > maxWaiting) return { result: undefined };
    const place = { workflowId, placedAt: now() };
    return { line: [...before, place], result: turnBehind(before, place) };
  }

  /** APIs that were killed, or that waited no longer, left places of turns that have ended since. */
  async function stillThere(line: Line): Promise<Line> {
    const kept = await Promise.all(
      line.map(async ({ workflowId, placedAt }) => {
        const state = await runState(workflowId, placedAt).catch(() => 'running');
        return state === 'running' || (state === 'unknown' && now() - placedAt <= PLACE_GIVEN_UP_AFTER_MS);
      }),
    );
    return line.filter((_, at) => kept[at]);
  }

  /** The place that a run has, noted as that of several requests. */
  function share(line: Line, at: number): Change<EarlierTurn | undefined> {
    const before = line.slice(0, at);
    const [own, ...behind] = line.slice(at);
    if (own === undefined) return { result: undefined };
    const result = turnBehind(before, own);
    return own.shared === true
      ? { result }
      : { line: [...before, { ...own, shared: true }, ...behind], result };
  }

  return {
    take: (session, workflowId) =>
      change(session, (line) => {
        const at = line.findIndex((place) => place.workflowId === workflowId);
        // A run that had two places would wait for those that wait for its first one.
        return at === -1 ? append(line, workflowId) : share(line, at);
      }),
    retake: (session, workflowId) =>
      change(session, (line) => {
        const at = line.findIndex((place) => place.workflowId === workflowId);
        const age = now() - (line[at]?.placedAt ?? 0);
        if (at === -1 || age > PLACE_GIVEN_UP_AFTER_MS) return append(withoutPlace(line, at), workflowId);
        if (age > TURN_START_LIMIT_MS) throw startedTooLate();
        return share(line, at);
      }),
    withdraw: (session, place) =>
      change(session, (line) => {
        const at = indexOf(line, place);
        if (at === -1 || line[at]?.shared === true) return { result: undefined };
        return { line: withoutPlace(line, at), result: undefined };
      }),
    leave: (session, place, end) =>
      change(session, (line) => {
        const at = indexOf(line, place);
        if (at === -1) return { result: undefined };
        return {
          line: end === 'in its turn' ? line.slice(at + 1) : withoutPlace(line, at),
          result: undefined,
        };
      }),
  };
}

/** A run may have another place by now. */
function indexOf(line: Line, { workflowId, placedAt }: EarlierTurn): number {
  return line.findIndex((place) => place.workflowId === workflowId && place.placedAt === placedAt);
}

function startedTooLate(): HoldfastError {
  const reason = 'an earlier request with this Idempotency-Key did not start its turn in time';
  return new HoldfastError('ENGINE_UNAVAILABLE', `Try again in a few seconds: ${reason}`, {
    details: { service: 'temporal', reason },
    retryable: true,
  });
}
