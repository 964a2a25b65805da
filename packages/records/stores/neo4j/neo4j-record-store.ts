import type { RecordCollection } from '../../contracts/common';
import type { Movement, RecordKey, Referrer, StoredRecord } from '../record';
import type {
  GoodsAt,
  MovementBounds,
  RecordChange,
  RecordPage,
  RecordQuery,
  RecordStore,
} from '../record-store';
import type { Statements } from '../../../../src/stores/neo4j/connection';
import type { Neo4jDatabase } from '../../../../src/stores/neo4j/database';
import { findReferrers, writeRecords } from './changes';
import { followGoods, listRecords, findMovements, readRecordPage } from './queries';
import { findRecords } from './rows';
import { TenantNames } from './tenant-names';

/**
 * The records of one tenant as nodes of a Neo4j database that any number of processes and machines share. References between
 * records, and the movements of goods, are relationships. A reader may see a commit of Neo4j while it is being applied, so
 * whatever must be read as a whole is in one property: a record in `state` of its node, a movement in `movement` of its
 * relationship.
 */
export class Neo4jRecordStore implements RecordStore {
  readonly #database: Neo4jDatabase;
  readonly #names: TenantNames;

  /** Throws `INTERNAL` if the tenant's name is malformed. */
  constructor(database: Neo4jDatabase, tenant: string) {
    this.#database = database;
    this.#names = new TenantNames(tenant);
  }

  async get(key: RecordKey): Promise<StoredRecord | undefined> {
    const [record] = await this.#read((statements) => findRecords(statements, this.#names, [key]));
    return record;
  }

  async getMany(collection: RecordCollection, ids: readonly string[]): Promise<Map<string, StoredRecord>> {
    const keys = ids.map((id) => ({ collection, id }));
    const records = await this.#read((statements) => findRecords(statements, this.#names, keys));
    return new Map(records.map((record) => [record.id, record]));
  }

  write(changes: readonly RecordChange[]): Promise<StoredRecord[]> {
    return this.#database.transact((statements) => writeRecords(statements, this.#names, changes));
  }

  list(query: RecordQuery): Promise<RecordPage> {
    return this.#read((statements) => listRecords(statements, this.#names, query));
  }

  page(query: RecordQuery): Promise<StoredRecord[]> {
    return this.#read((statements) => readRecordPage(statements, this.#names, query));
  }

  referrers(keys: readonly RecordKey[], limit: number): Promise<Referrer[]> {
    return this.#read((statements) => findReferrers(statements, this.#names, keys, limit));
  }

  departures(goods: readonly GoodsAt[], bounds: MovementBounds): Promise<Movement[]> {
    return this.#read((statements) => followGoods(statements, this.#names, 'departures', goods, bounds));
  }

  arrivals(goods: readonly GoodsAt[], bounds: MovementBounds): Promise<Movement[]> {
    return this.#read((statements) => followGoods(statements, this.#names, 'arrivals', goods, bounds));
  }

  movements(ids: readonly string[]): Promise<Movement[]> {
    return this.#read((statements) => findMovements(statements, this.#names, ids));
  }

  #read<T>(read: (statements: Statements) => Promise<T>): Promise<T> {
    return this.#database.transact(async (statements) => ({ commit: false, value: await read(statements) }));
  }
}
