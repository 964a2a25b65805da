import type { Statement } from 'better-sqlite3';
import type { RecordCollection } from '../../contracts/common';
import type { Movement, NewRecord, RecordKey, Referrer, StoredRecord } from '../record';
import type { SqliteDatabase } from '../../../../src/stores/sqlite/database';
import { arrivalKeys, departureKeys } from '../adapter-support';

export interface RecordRow {
  readonly id: string;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly body: string;
}

export const RECORD_COLUMNS = 'id, version, "createdAt", "updatedAt", body';

export function toRecord(collection: RecordCollection, row: RecordRow): StoredRecord {
  const { id, version, createdAt, updatedAt } = row;
  const body = JSON.parse(row.body) as StoredRecord['body'];
  return { collection, id, version, createdAt, updatedAt, body };
}

type Bind = string | number | null;

/** Single records with their tags, references and movements, on one connection. All methods block, and throw SQLite's errors. */
export class RecordTables {
  readonly #database: SqliteDatabase;
  readonly #statements = new Map<string, Statement<Bind[]>>();

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  get({ collection, id }: RecordKey): StoredRecord | undefined {
    const row = this.#run(`SELECT ${RECORD_COLUMNS} FROM ${collection} WHERE id = ?`).get(id);
    return row === undefined ? undefined : toRecord(collection, row as RecordRow);
  }

  /** The version of a record; 0 if it does not exist. */
  version({ collection, id }: RecordKey): number {
    const row = this.#run(`SELECT version FROM ${collection} WHERE id = ?`).get(id);
    return (row as { version: number } | undefined)?.version ?? 0;
  }

  movement(shipmentId: string): Movement | undefined {
    const row = this.#run('SELECT movement FROM shipments WHERE id = ?').get(shipmentId);
    const { movement = null } = (row ?? {}) as { movement?: string | null };
    return movement === null ? undefined : (JSON.parse(movement) as Movement);
  }

  put(record: NewRecord, version: number): void {
    if (version > 1) this.#clear(record);
    const { collection, id, createdAt, updatedAt, text, movement } = record;
    const values: Record<string, Bind> = {
      id,
      version,
      createdAt,
      updatedAt,
      ...record.fields,
      text,
      body: JSON.stringify(record.body),
      movement: movement === null ? null : JSON.stringify(movement),
    };
    const names = Object.keys(values).map((name) => `"${name}"`);
    // An existing row is updated and not replaced, so that it keeps its key.
    const updates = names.map((name) => `${name} = excluded.${name}`);
    this.#run(
      `INSERT INTO ${collection} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})
       ON CONFLICT (id) DO UPDATE SET ${updates.join(', ')}`,
    ).run(...Object.values(values));
    this.#putTags(record);
    for (const { field, to } of record.references) {
      this.#run('INSERT OR IGNORE INTO record_references VALUES (?, ?, ?, ?, ?)').run(
        to.collection,
        to.id,
        collection,
        id,
        field,
      );
    }
    if (movement !== null) this.#putMovement(movement);
  }

  delete(key: RecordKey): void {
    this.#clear(key);
    this.#run(`DELETE FROM ${key.collection} WHERE id = ?`).run(key.id);
  }

  referrers({ collection, id }: RecordKey, limit: number): Referrer[] {
    return this.#run(
      `SELECT collection, id, field FROM record_references WHERE target_collection = ? AND target_id = ?
       ORDER BY collection, id, field LIMIT ?`,
    ).all(collection, id, limit) as Referrer[];
  }

  #putTags({ collection, id, tags }: NewRecord): void {
    const insert = this.#run('INSERT OR IGNORE INTO tags VALUES (?, ?, ?, ?)');
    for (const [name, values] of Object.entries(tags)) {
      for (const value of values) insert.run(collection, name, value, id);
    }
  }

  #putMovement(movement: Movement): void {
    const { id, originId, destinationId, departure, arrival } = movement;
    for (const key of departureKeys(movement)) {
      this.#run('INSERT INTO departures VALUES (?, ?, ?, ?)').run(originId, key, departure, id);
    }
    if (arrival === null) return;
    for (const key of arrivalKeys(movement)) {
      this.#run('INSERT INTO arrivals VALUES (?, ?, ?, ?)').run(destinationId, key, arrival, id);
    }
  }

  /** Deletes the rows that `put` added for the record in other tables. */
  #clear({ collection, id }: RecordKey): void {
    this.#run('DELETE FROM tags WHERE collection = ? AND id = ?').run(collection, id);
    this.#run('DELETE FROM record_references WHERE collection = ? AND id = ?').run(collection, id);
    const movement = collection === 'shipments' ? this.movement(id) : undefined;
    if (movement === undefined) return;
    const { originId, destinationId, departure, arrival } = movement;
    const condition = 'facility = ? AND match = ? AND at = ? AND shipment = ?';
    for (const key of departureKeys(movement)) {
      this.#run(`DELETE FROM departures WHERE ${condition}`).run(originId, key, departure, id);
    }
    if (arrival === null) return;
    for (const key of arrivalKeys(movement)) {
      this.#run(`DELETE FROM arrivals WHERE ${condition}`).run(destinationId, key, arrival, id);
    }
  }

  #run(sql: string): Statement<Bind[]> {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare<Bind[]>(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}
