import type { DocumentStore } from '../stores/documents';

const COLLECTION = 'worker-faults';
/** A repeated event is recognised if it is among this many latest ones. */
const MAX_RECENT = 50;

/** The number of events, and the last one. */
export interface TallyFigures {
  readonly count: number;
  readonly last?: { readonly at: string; readonly reason: string };
}

interface Tallied {
  readonly count: number;
  /** The latest events, newest first. */
  readonly recent: readonly { readonly id: string; readonly at: string; readonly reason: string }[];
}

/** Counts rare events of all processes in their shared store. */
export interface Tally {
  /** Counts an event. @returns false if its id was counted before. @throws HoldfastError `STORE_UNAVAILABLE` */
  add(id: string, reason: string): Promise<boolean>;
  /** @throws HoldfastError `STORE_UNAVAILABLE` */
  read(): Promise<TallyFigures>;
}

export type TallyStore = Pick<DocumentStore, 'get' | 'write'>;

/** `abnormal-ends`: workers that ended although they were not stopped. `ended-runs`: runs that were ended as harmful to workers. */
export type TallyName = 'abnormal-ends' | 'ended-runs';

export function createTally(documents: TallyStore, name: TallyName, now = Date.now): Tally {
  return {
    async add(id, reason) {
      for (;;) {
        const document = await documents.get<Tallied>(COLLECTION, name);
        const { count, recent } = document?.value ?? { count: 0, recent: [] };
        if (recent.some((event) => event.id === id)) return false;
        const event = { id, at: new Date(now()).toISOString(), reason };
        const value: Tallied = { count: count + 1, recent: [event, ...recent].slice(0, MAX_RECENT) };
        const put = { collection: COLLECTION, key: name, value, ifVersion: document?.version ?? 0 };
        if (await documents.write([{ type: 'put', ...put }])) return true;
      }
    },
    async read() {
      const document = await documents.get<Tallied>(COLLECTION, name);
      const last = document?.value.recent[0];
      return {
        count: document?.value.count ?? 0,
        last: last && { at: last.at, reason: last.reason },
      };
    },
  };
}
