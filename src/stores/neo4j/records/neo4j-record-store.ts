import type { RecordCollection } from '../../../contracts/http/records/common';
import type { Movement, RecordKey, Referrer, StoredRecord } from '../../records/record';
import type {
  GoodsAt,
  MovementBounds,
  RecordChange,
  RecordPage,
  RecordQuery,
  RecordStore,
} from '../../records/record-store';
import type { Statements } from '../connection';
import type { Neo4jDatabase } from '../database';
import { findReferrers, writeRecords } from './changes';
import { followGoods, listRecords, findMovements, readRecordPage } from './queries';
import { findRecords } from './rows';

/**
 * Records as nodes of a Neo4j database that any number of processes and machines share. References between records, and the
 * movements of goods, are relationships. A reader may see a commit of Neo4j while it is being applied, so whatever must be read
 * as a whole is in one property: a record in `state` of its node, a movement in `movement` of its relationship.
 */
export class Neo4jRecordStore implements RecordStore {
  readonly #database: Neo4jDatabase;

  constructor(database: Neo4jDatabase) {
    this.#database = database;
  }

  async get(key: RecordKey): Promise<StoredRecord | undefined> {
    const [record] = await this.#read((statements) => findRecords(statements, [key]));
    return record;
  }

  async getMany(collection: RecordCollection, ids: readonly string[]): Promise<Map<string, StoredRecord>> {
    const keys = ids.map((id) => ({ collection, id }));
    const records = await this.#read((statements) => findRecords(statements, keys));
    return new Map(records.map((record) => [record.id, record]));
  }

  write(changes: readonly RecordChange[]): Promise<StoredRecord[]> {
    return this.#database.transact((statements) => writeRecords(statements, changes));
  }

  list(query: RecordQuery): Promise<RecordPage> {
    return this.#read((statements) => listRecords(statements, query));
  }

  page(query: RecordQuery): Promise<StoredRecord[]> {
    return this.#read((statements) => readRecordPage(statements, query));
  }

  referrers(key: RecordKey, limit: number): Promise<Referrer[]> {
    return this.#read((statements) => findReferrers(statements, key, limit));
  }

  departures(goods: readonly GoodsAt[], bounds: MovementBounds): Promise<Movement[]> {
    return this.#read((statements) => followGoods(statements, 'departures', goods, bounds));
  }

  arrivals(goods: readonly GoodsAt[], bounds: MovementBounds): Promise<Movement[]> {
    return this.#read((statements) => followGoods(statements, 'arrivals', goods, bounds));
  }

  movements(ids: readonly string[]): Promise<Movement[]> {
    return this.#read((statements) => findMovements(statements, ids));
  }

  async ping(): Promise<void> {
    await this.#read((statements) => statements.run('RETURN 1'));
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  #read<T>(read: (statements: Statements) => Promise<T>): Promise<T> {
    return this.#database.transact(async (statements) => ({ commit: false, value: await read(statements) }));
  }
}
