import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { RecordCollection } from '../../contracts/common';
import type { Movement, NewRecord, RecordKey, Referrer, StoredRecord } from '../record';
import type {
  GoodsAt,
  MovementBounds,
  RecordChange,
  RecordPage,
  RecordQuery,
  RecordStore,
} from '../record-store';
import { ChangeQueue } from '../../../../src/stores/sqlite/change-queue';
import type { SqliteDatabase } from '../../../../src/stores/sqlite/database';
import type { OpenFiles } from '../../../../src/stores/sqlite/open-files';
import { SqliteFile } from '../../../../src/stores/sqlite/sqlite-file';
import { followGoods, listRecords, readRecordPage } from './record-queries';
import { RecordTables } from './record-tables';
import { RECORD_MIGRATIONS } from './schema';
import { MAX_REFERRERS_NAMED, recordChanged, recordInUse, referenceMissing } from '../adapter-support';

export interface SqliteRecordStoreOptions {
  /** The database file. It is created with its folder if it does not exist. */
  readonly path: string;
  /** The maximum time that an operation waits for another connection's lock before it throws, milliseconds. */
  readonly busyTimeoutMs: number;
  /** Limits how many files are open, this one among them. */
  readonly openFiles: OpenFiles;
  /** As `SqliteFileOptions` has it. */
  readonly mayBeNewer?: boolean;
}

interface Prepared {
  readonly database: SqliteDatabase;
  readonly tables: RecordTables;
}

/** A long read is split into parts of this many records, or goods, so that the process can do other work between them. */
const PART_SIZE = 200;

/** The records of one tenant in a SQLite file that several processes share. */
export class SqliteRecordStore implements RecordStore {
  readonly #file: SqliteFile<Prepared>;
  readonly #changes: ChangeQueue<Prepared>;

  constructor(options: SqliteRecordStoreOptions) {
    this.#file = new SqliteFile({
      ...options,
      migrations: RECORD_MIGRATIONS,
      prepare: (database) => ({ database, tables: new RecordTables(database) }),
    });
    this.#changes = new ChangeQueue(this.#file);
  }

  get(key: RecordKey): Promise<StoredRecord | undefined> {
    return this.#file.read(({ tables }) => tables.get(key));
  }

  async getMany(collection: RecordCollection, ids: readonly string[]): Promise<Map<string, StoredRecord>> {
    const records = new Map<string, StoredRecord>();
    await this.#inParts(ids, ({ tables }, part) => {
      for (const id of part) {
        const record = tables.get({ collection, id });
        if (record !== undefined) records.set(id, record);
      }
    });
    return records;
  }

  write(changes: readonly RecordChange[]): Promise<StoredRecord[]> {
    return this.#changes.add(({ tables }) => writeAll(tables, changes));
  }

  list(query: RecordQuery): Promise<RecordPage> {
    return this.#file.read(({ database }) =>
      database.transaction(() => listRecords(database, query)).deferred(),
    );
  }

  page(query: RecordQuery): Promise<StoredRecord[]> {
    return this.#file.read(({ database }) => readRecordPage(database, query));
  }

  async referrers(keys: readonly RecordKey[], limit: number): Promise<Referrer[]> {
    const referrers: Referrer[] = [];
    await this.#inParts(keys, ({ tables }, part) => {
      for (const key of part) referrers.push(...tables.referrers(key, limit - referrers.length));
    });
    return referrers;
  }

  departures(goods: readonly GoodsAt[], bounds: MovementBounds): Promise<Movement[]> {
    return this.#follow('departures', goods, bounds);
  }

  arrivals(goods: readonly GoodsAt[], bounds: MovementBounds): Promise<Movement[]> {
    return this.#follow('arrivals', goods, bounds);
  }

  async movements(ids: readonly string[]): Promise<Movement[]> {
    const movements: Movement[] = [];
    await this.#inParts(ids, ({ tables }, part) => {
      movements.push(...part.map((id) => tables.movement(id)).filter((movement) => movement !== undefined));
    });
    return movements;
  }

  async ping(): Promise<void> {
    await this.#file.write(({ tables }) => tables.version({ collection: 'facilities', id: '' }));
  }

  close(): void {
    this.#file.close();
  }

  async #follow(
    direction: 'departures' | 'arrivals',
    goods: readonly GoodsAt[],
    bounds: MovementBounds,
  ): Promise<Movement[]> {
    const ids = new Set<string>();
    await this.#inParts(goods, ({ database }, part) => {
      if (ids.size >= bounds.limit) return;
      for (const id of followGoods(database, direction, part, bounds)) ids.add(id);
    });
    // A facility may have tens of thousands of movements, which are much longer than the ids of their shipments.
    return this.movements([...ids].slice(0, bounds.limit));
  }

  async #inParts<T>(
    items: readonly T[],
    read: (prepared: Prepared, part: readonly T[]) => void,
  ): Promise<void> {
    for (let begin = 0; begin < items.length; begin += PART_SIZE) {
      if (begin > 0) await yieldToEventLoop();
      await this.#file.read((prepared) => read(prepared, items.slice(begin, begin + PART_SIZE)));
    }
  }
}

/** Writes all changes. The caller runs it in a transaction, which is rolled back if it throws. */
function writeAll(tables: RecordTables, changes: readonly RecordChange[]): StoredRecord[] {
  const written: StoredRecord[] = [];
  for (const change of changes) {
    const key = change.type === 'put' ? change.record : change;
    const version = tables.version(key);
    if (version !== change.ifVersion) throw recordChanged(key, version);
    if (change.type === 'delete') tables.delete(key);
    else {
      tables.put(change.record, version + 1);
      written.push(toStoredRecord(change.record, version + 1));
    }
  }
  // References are checked after all writes, because records of one batch may refer to each other.
  for (const change of changes) {
    if (change.type === 'put') {
      const missing = change.record.references.find(({ to }) => tables.version(to) === 0);
      if (missing !== undefined) throw referenceMissing(missing);
    } else {
      const referrers = tables.referrers(change, MAX_REFERRERS_NAMED);
      if (referrers.length > 0) throw recordInUse(change, referrers);
    }
  }
  return written;
}

function toStoredRecord(record: NewRecord, version: number): StoredRecord {
  const { collection, id, createdAt, updatedAt, body } = record;
  return { collection, id, version, createdAt, updatedAt, body };
}
