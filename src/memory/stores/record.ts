import { type HoldfastError, isHoldfastError } from '../../base/errors';
import type { SecretBox } from '../../secrets/secret-box';
import type { DocumentStore, StoredDocument } from '../../stores/documents';
import { type Area, combine, type StoreSettings } from './settings';

export interface Initialization {
  readonly area: Area;
  /** ISO 8601 */
  readonly at: string;
  readonly settings: StoreSettings;
}

/** Where memories are kept, for all processes. */
export interface StoreRecord {
  /** Rises with every change; 0 where nothing was ever set. */
  readonly version: number;
  /** The last one of each area, the latest first. */
  readonly initializations: readonly Initialization[];
  /** Stores that were in use before and may hold memories still, the latest first. */
  readonly former: readonly StoreSettings[];
  /** Why some of the settings are missing here: they were sealed with another key. */
  readonly unreadable?: HoldfastError;
}

/** The record at rest. All methods throw `STORE_UNAVAILABLE` (retryable). */
export interface StoreRecords {
  /** As it is now, or was at most `knownForMs` before. */
  read(): Promise<StoreRecord>;
  readNow(): Promise<StoreRecord>;
  /** @returns false, and nothing written, where the record is not at `record.version` any more */
  write(record: StoreRecord): Promise<boolean>;
}

export interface StoreRecordsPorts {
  readonly documents: DocumentStore;
  readonly secrets: SecretBox;
  /** How long the record is good for once it was read, milliseconds. */
  readonly knownForMs: number;
}

/** All of it sealed: an address, too, may be one that nobody else should know. */
interface StoredRecord {
  readonly initializations: readonly { readonly area: Area; readonly at: string; readonly sealed: string }[];
  readonly former: readonly string[];
}

const COLLECTION = 'service-state';
const KEY = 'memory-stores';
const NOTHING: StoreRecord = { version: 0, initializations: [], former: [] };

export function createStoreRecords({ documents, secrets, knownForMs }: StoreRecordsPorts): StoreRecords {
  let known: { readonly record: StoreRecord; readonly until: number } | undefined;
  let reading: Promise<StoreRecord> | undefined;

  async function readNow(): Promise<StoreRecord> {
    const until = performance.now() + knownForMs;
    const stored = await documents.get<StoredRecord>(COLLECTION, KEY);
    const seen = stored === undefined ? NOTHING : opened(stored, known?.record);
    // A read may be overtaken by a later one.
    const record = known !== undefined && known.record.version > seen.version ? known.record : seen;
    known = { record, until };
    return record;
  }

  function opened({ version, value }: StoredDocument<StoredRecord>, before?: StoreRecord): StoreRecord {
    if (before?.version === version) return before;
    let unreadable: HoldfastError | undefined;
    const open = (sealed: string): StoreSettings => {
      try {
        return JSON.parse(secrets.open(sealed, KEY)) as StoreSettings;
      } catch (error) {
        if (!isHoldfastError(error)) throw error;
        unreadable = error;
        return {};
      }
    };
    const initializations = value.initializations.map(({ area, at, sealed }) => ({
      area,
      at,
      settings: open(sealed),
    }));
    const former = value.former.map(open);
    return { version, initializations, former, unreadable };
  }

  return {
    async read() {
      if (known !== undefined && performance.now() < known.until) return known.record;
      reading ??= readNow().finally(() => (reading = undefined));
      return reading;
    },
    readNow,
    async write({ version, initializations, former }) {
      const seal = (settings: StoreSettings): string => secrets.seal(JSON.stringify(settings), KEY);
      const value: StoredRecord = {
        initializations: initializations.map(({ area, at, settings }) => ({
          area,
          at,
          sealed: seal(settings),
        })),
        former: former.map(seal),
      };
      const written = await documents.write([
        { type: 'put', collection: COLLECTION, key: KEY, value, ifVersion: version },
      ]);
      await readNow();
      return written;
    },
  };
}

/** What the record comes to: the latest initialization goes first, section by section. Pure. */
export function settingsOf({ initializations }: StoreRecord): StoreSettings {
  return combine(initializations.map(({ settings }) => settings));
}
