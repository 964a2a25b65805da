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
  readonly after?: EarlierTurn;
  /** The turn has ended. */
  readonly over?: true;
}

const COLLECTION = 'session-places';
/** No turn lasts longer; a session in which nothing was said for so long starts anew. */
const FORGOTTEN_AFTER_MS = 2 * 86_400_000;

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
        if (stored?.value.workflowId === workflowId) return stored.value.after;
        const after = stored === undefined || stored.value.over ? undefined : earlier(stored.value);
        const value = { workflowId, placedAt: now(), ...(after === undefined ? {} : { after }) };
        return (await put(session, value, stored?.version ?? 0)) ? after : CONFLICT;
      }),
    async leave(session, workflowId) {
      const stored = await documents.get<StoredPlace>(COLLECTION, session);
      if (stored?.value.workflowId !== workflowId) return;
      // Refused where somebody has taken the next place meanwhile.
      await put(session, { ...earlier(stored.value), over: true }, stored.version);
    },
  };
}

function earlier({ workflowId, placedAt }: StoredPlace): EarlierTurn {
  return { workflowId, placedAt };
}
