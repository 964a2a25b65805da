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

/** The record of the stores of memories, shared by all processes. */
export interface StoreRecord {
  /** Increases with every change; 0 if no initialization has set anything. */
  readonly version: number;
  /** The last initialization of each area, the latest first. */
  readonly initializations: readonly Initialization[];
  /** Stores that were in use before and may still contain memories, the latest first. */
  readonly previous: readonly StoreSettings[];
  /** The reason why some settings are missing: they were sealed with another key. */
  readonly unreadable?: HoldfastError;
}

/** Reads and writes the record. All methods throw `STORE_UNAVAILABLE` (retryable). */
export interface StoreRecords {
  /** The record as it is now, or was at most `knownForMs` ago. */
  read(): Promise<StoreRecord>;
  readNow(): Promise<StoreRecord>;
  /** @returns false, without a write, if the stored record has another version than `record.version` */
  write(record: StoreRecord): Promise<boolean>;
}

export interface StoreRecordsPorts {
  readonly documents: DocumentStore;
  readonly secrets: SecretBox;
  /** How long `read` may return a record that was read before, milliseconds. */
  readonly knownForMs: number;
}

/** The stored record. All settings are sealed, because an address may be confidential too. */
interface StoredRecord {
  readonly initializations: readonly { readonly area: Area; readonly at: string; readonly sealed: string }[];
  readonly former: readonly string[];
}

const COLLECTION = 'service-state';
const KEY = 'memory-stores';
const NOTHING: StoreRecord = { version: 0, initializations: [], previous: [] };

export function createStoreRecords({ documents, secrets, knownForMs }: StoreRecordsPorts): StoreRecords {
  let known: { readonly record: StoreRecord; readonly until: number } | undefined;
  let reading: Promise<StoreRecord> | undefined;

  async function readNow(): Promise<StoreRecord> {
    const until = performance.now() + knownForMs;
    const stored = await documents.get<StoredRecord>(COLLECTION, KEY);
    const seen = stored === undefined ? NOTHING : openRecord(stored, known?.record);
    // A later read may finish first.
    const record = known !== undefined && known.record.version > seen.version ? known.record : seen;
    known = { record, until };
    return record;
  }

  function openRecord({ version, value }: StoredDocument<StoredRecord>, before?: StoreRecord): StoreRecord {
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
    const previous = value.former.map(open);
    return { version, initializations, previous, unreadable };
  }

  return {
    async read() {
      if (known !== undefined && performance.now() < known.until) return known.record;
      reading ??= readNow().finally(() => (reading = undefined));
      return reading;
    },
    readNow,
    async write({ version, initializations, previous }) {
      const seal = (settings: StoreSettings): string => secrets.seal(JSON.stringify(settings), KEY);
      const value: StoredRecord = {
        initializations: initializations.map(({ area, at, settings }) => ({
          area,
          at,
          sealed: seal(settings),
        })),
        former: previous.map(seal),
      };
      const written = await documents.write([
        { type: 'put', collection: COLLECTION, key: KEY, value, ifVersion: version },
      ]);
      await readNow();
      return written;
    },
  };
}

/** Combines the settings of the record, section by section; the latest initialization comes first. Pure. */
export function effectiveSettings({ initializations }: StoreRecord): StoreSettings {
  return combine(initializations.map(({ settings }) => settings));
}
