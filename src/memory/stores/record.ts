import { type HoldfastError, isHoldfastError } from '../../base/errors';
import type { SecretBox } from '../../secrets/secret-box';
import type { DocumentStore, StoredDocument } from '../../stores/documents';
import type { KnownFormerStore } from './former-stores';
import { type Area, combine, type StoreSettings } from './settings';

export interface Initialization {
  readonly area: Area;
  /** ISO 8601 */
  readonly at: string;
  readonly settings: StoreSettings;
  /** The settings as they are stored, which this process may be unable to open. */
  readonly sealed?: string;
}

/** A change of stores that is under way. */
export interface StoreChange {
  readonly id: string;
  /** The process that was asked for it. */
  readonly by: string;
  /** The initializations after the change. */
  readonly initializations: readonly Initialization[];
}

/** The record of the stores of memories, shared by all processes. */
export interface StoreRecord {
  /** Increases with every change; 0 if no initialization has set anything. */
  readonly version: number;
  /** The last initialization of each area, the latest first. */
  readonly initializations: readonly Initialization[];
  /** Stores that others have replaced, the latest first. */
  readonly former: readonly KnownFormerStore[];
  /** The former stores as they are stored, if this process cannot open them; `former` is without them then. */
  readonly sealedFormer?: string | undefined;
  readonly next?: StoreChange | undefined;
  /** The reason why some settings are missing: they were sealed with another key. */
  readonly unreadable?: HoldfastError | undefined;
}

/** Reads and writes the record. All methods throw `STORE_UNAVAILABLE` (retryable). */
export interface StoreRecords {
  read(): Promise<StoreRecord>;
  /** @returns false, without a write, if the stored record has another version than `record.version` */
  write(record: StoreRecord): Promise<boolean>;
}

export interface StoreRecordsPorts {
  readonly documents: Pick<DocumentStore, 'get' | 'write'>;
  readonly secrets: SecretBox;
  /** Names the stores of these settings, which an earlier build has replaced, except those that are in use. */
  readonly toFormer: (settings: StoreSettings, inUse: StoreSettings) => readonly KnownFormerStore[];
}

/** The stored record. All settings are sealed, because an address may be confidential too. */
interface StoredRecord {
  readonly initializations: readonly SealedInitialization[];
  /** The sealed settings of stores that builds before 1.1 have replaced. Those builds need the field. */
  readonly former: readonly string[];
  /** Absent in records of earlier builds. */
  readonly sealedFormer?: string;
  readonly next?: Omit<StoreChange, 'initializations'> & {
    readonly initializations: readonly SealedInitialization[];
  };
}

type SealedInitialization = Required<Omit<Initialization, 'settings'>>;

const COLLECTION = 'service-state';
const KEY = 'memory-stores';
const NOTHING: StoreRecord = { version: 0, initializations: [], former: [] };

export function createStoreRecords({ documents, secrets, toFormer }: StoreRecordsPorts): StoreRecords {
  let known = NOTHING;

  function openRecord({ version, value }: StoredDocument<StoredRecord>): StoreRecord {
    let unreadable: HoldfastError | undefined;
    const open = <T>(sealed: string, otherwise: T): T => {
      try {
        return JSON.parse(secrets.open(sealed, KEY)) as T;
      } catch (error) {
        if (!isHoldfastError(error)) throw error;
        unreadable = error;
        return otherwise;
      }
    };
    const openAll = (all: readonly SealedInitialization[]): Initialization[] =>
      all.map(({ area, at, sealed }) => ({ area, at, sealed, settings: open<StoreSettings>(sealed, {}) }));
    const initializations = openAll(value.initializations);
    const inUse = effectiveSettings({ initializations });
    const { sealedFormer, next } = value;
    const opened =
      sealedFormer === undefined
        ? []
        : open<readonly KnownFormerStore[] | undefined>(sealedFormer, undefined);
    const former = [
      ...(opened ?? []),
      ...value.former.flatMap((sealed) => toFormer(open<StoreSettings>(sealed, {}), inUse)),
    ];
    return {
      version,
      initializations,
      former: [...new Map(former.map((each) => [each.key, each])).values()],
      sealedFormer: opened === undefined ? sealedFormer : undefined,
      next: next && { ...next, initializations: openAll(next.initializations) },
      unreadable,
    };
  }

  return {
    async read() {
      const stored = await documents.get<StoredRecord>(COLLECTION, KEY);
      // A later read may finish first.
      if (stored !== undefined && stored.version > known.version) known = openRecord(stored);
      return known;
    },
    async write({ version, initializations, former, sealedFormer, next }) {
      const seal = (value: unknown): string => secrets.seal(JSON.stringify(value), KEY);
      const sealAll = (all: readonly Initialization[]): SealedInitialization[] =>
        all.map(({ area, at, settings, sealed = seal(settings) }) => ({ area, at, sealed }));
      const value: StoredRecord = {
        initializations: sealAll(initializations),
        former: [],
        sealedFormer: sealedFormer ?? seal(former),
        ...(next === undefined ? {} : { next: { ...next, initializations: sealAll(next.initializations) } }),
      };
      return documents.write([{ type: 'put', collection: COLLECTION, key: KEY, value, ifVersion: version }]);
    },
  };
}

/** Combines the settings of the record, section by section; the latest initialization comes first. Pure. */
export function effectiveSettings({ initializations }: Pick<StoreRecord, 'initializations'>): StoreSettings {
  return combine(initializations.map(({ settings }) => settings));
}
