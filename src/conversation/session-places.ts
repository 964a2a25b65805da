import type { EarlierTurn } from '../contracts/conversations';
import { CONFLICT, untilNoConflict } from '../stores/compare-and-set';
import type { DocumentStore } from '../stores/documents';

export interface SessionPlacesPorts {
  readonly documents: DocumentStore;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/**
 * The order of the turns of each session, one for all processes. A place is taken when a request arrives; a turn begins when
 * the one before it has ended. All methods throw `STORE_UNAVAILABLE` (retryable).
 */
export interface SessionPlaces {
  /**
   * Takes the place behind the last one. Taking it again for the same run changes nothing.
   * @param session names the session without telling whose it is
   * @returns the turn before, if that may still be under way
   */
  take(session: string, workflowId: string): Promise<EarlierTurn | undefined>;
  /** Notes that a turn has ended: the next one need not ask. */
  leave(session: string, workflowId: string): Promise<void>;
}

interface StoredPlace extends EarlierTurn {
  /** The turn has ended. */
  readonly over?: true;
}

const COLLECTION = 'session-places';
/** No turn lasts longer; a session in which nothing was said for so long starts anew. */
const FORGOTTEN_AFTER_MS = 2 * 86_400_000;
/** Turns in a line that a place remembers. */
const MOST_REMEMBERED = 32;

export function createSessionPlaces({ documents, now }: SessionPlacesPorts): SessionPlaces {
  // A place is changed and never deleted, as versions tell its states apart only until then.
  const put = (session: string, value: StoredPlace, ifVersion: number): Promise<boolean> =>
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

  return {
    take: (session, workflowId) =>
      untilNoConflict('the place in a session', async () => {
        const stored = await documents.get<StoredPlace>(COLLECTION, session);
        const last = stored === undefined || stored.value.over ? undefined : stored.value;
        // Whoever took a place a second time would wait for those that wait for the first one.
        const own = findPlace(last, workflowId);
        if (own !== undefined) return own.after;
        const after = last === undefined ? undefined : remembered(last, MOST_REMEMBERED);
        const value = { workflowId, placedAt: now(), ...(after === undefined ? {} : { after }) };
        return (await put(session, value, stored?.version ?? 0)) ? after : CONFLICT;
      }),
    async leave(session, workflowId) {
      const stored = await documents.get<StoredPlace>(COLLECTION, session);
      if (stored?.value.workflowId !== workflowId) return;
      const { placedAt } = stored.value;
      // Refused where somebody has taken the next place meanwhile.
      await put(session, { workflowId, placedAt, over: true }, stored.version);
    },
  };
}

function findPlace(last: EarlierTurn | undefined, workflowId: string): EarlierTurn | undefined {
  let place = last;
  while (place !== undefined && place.workflowId !== workflowId) place = place.after;
  return place;
}

/** The end of a line. */
function remembered({ workflowId, placedAt, after }: EarlierTurn, most: number): EarlierTurn {
  const before = after === undefined || most <= 1 ? {} : { after: remembered(after, most - 1) };
  return { workflowId, placedAt, ...before };
}
