import type { SecretBox } from '../../secrets/secret-box';
import type { DocumentStore } from '../../stores/documents';
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
}

/** The record at rest. All methods throw `STORE_UNAVAILABLE` (retryable). */
export interface StoreRecords {
  /** The record; `known` itself where it has not changed since. Settings that cannot be opened throw. */
  read(known?: StoreRecord): Promise<StoreRecord>;
  /** As `read`, but settings that were sealed with another key count as empty, so that a new initialization mends it. */
  readReadable(): Promise<StoreRecord>;
  /** @returns false, and nothing written, where the record is not at `record.version` any more */
  write(record: StoreRecord): Promise<boolean>;
}

/** All of it sealed: an address, too, may be one that nobody else should know. */
interface StoredRecord {
  readonly initializations: readonly { readonly area: Area; readonly at: string; readonly sealed: string }[];
  readonly former: readonly string[];
}

const COLLECTION = 'service-state';
const KEY = 'memory-stores';
const NOTHING: StoreRecord = { version: 0, initializations: [], former: [] };

export function createStoreRecords(documents: DocumentStore, secrets: SecretBox): StoreRecords {
  const seal = (settings: StoreSettings): string => secrets.seal(JSON.stringify(settings), KEY);
  const open = (sealed: string): StoreSettings => JSON.parse(secrets.open(sealed, KEY)) as StoreSettings;
  const openIfReadable = (sealed: string): StoreSettings => {
    try {
      return open(sealed);
    } catch {
      return {};
    }
  };

  async function readWith(
    opened: (sealed: string) => StoreSettings,
    known?: StoreRecord,
  ): Promise<StoreRecord> {
    const stored = await documents.get<StoredRecord>(COLLECTION, KEY);
    if (stored === undefined) return NOTHING;
    const { version, value } = stored;
    if (known?.version === version) return known;
    return {
      version,
      initializations: value.initializations.map(({ area, at, sealed }) => ({
        area,
        at,
        settings: opened(sealed),
      })),
      former: value.former.map(opened),
    };
  }

  return {
    read: (known) => readWith(open, known),
    readReadable: () => readWith(openIfReadable),
    write({ version, initializations, former }) {
      const value: StoredRecord = {
        initializations: initializations.map(({ area, at, settings }) => ({
          area,
          at,
          sealed: seal(settings),
        })),
        former: former.map(seal),
      };
      return documents.write([{ type: 'put', collection: COLLECTION, key: KEY, value, ifVersion: version }]);
    },
  };
}

/** What the record comes to: the latest initialization goes first, section by section. Pure. */
export function settingsOf({ initializations }: StoreRecord): StoreSettings {
  return combine(initializations.map(({ settings }) => settings));
}
