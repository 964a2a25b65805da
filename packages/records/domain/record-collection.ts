import { z } from 'zod';
import { RECORD_NAMES, type RecordCollection as CollectionName } from '../contracts/common';
import type { RecordFields, RecordOf } from '../contracts/collections';
import { HoldfastError, isHoldfastError, validationError } from '../../../src/base/errors';
import { newId } from '../../../src/base/ids';
import type { FieldValue, StoredRecord } from '../stores/record';
import { CONFLICT, untilNoConflict } from '../../../src/stores/compare-and-set';
import type { RecordCondition, RecordStore, RecordPosition } from '../stores/record-store';
import { type DeletedCounts, deleteRecord } from './delete-record';
import { toNewRecord, toRecord, entityTagOf, matchesEntityTag } from './to-new-record';
import { readCursor, writeCursor } from '../../../src/base/cursor';
import { recordNotFound } from '../stores/adapter-support';

const positionSchema = z.tuple([z.string(), z.union([z.string(), z.number()]), z.string()]);

export interface ListRecords {
  readonly conditions: readonly RecordCondition[];
  /** The field to sort by, with a minus in front of it for descending order. */
  readonly sort: string;
  readonly limit: number;
  /** The `next` of the page before. */
  readonly cursor?: string | undefined;
}

export interface RecordList<C extends CollectionName> {
  readonly records: readonly RecordOf<C>[];
  readonly total: number;
  /** Where the next page begins; absent on the last one. */
  readonly next?: string;
}

export interface ChangeOptions {
  /** The entity tags of which the record must have one; absent: any. */
  readonly ifMatch?: readonly string[] | undefined;
}

export interface ReplaceOptions extends ChangeOptions {
  /** Called with the record before the change, which it refuses by throwing. */
  readonly check?: (before: object) => void;
}

/** The five operations on one collection. All but `create` throw `RECORD_NOT_FOUND` for an unknown id. */
export interface Records<C extends CollectionName> {
  /** @throws HoldfastError `RECORD_EXISTS`, `RECORD_REFERENCE` */
  create(fields: RecordFields[C], id?: string): Promise<RecordOf<C>>;
  get(id: string): Promise<RecordOf<C>>;
  /**
   * Replaces all fields of the record.
   * @throws HoldfastError `RECORD_CHANGED`, `RECORD_REFERENCE`, and what `checkChange` throws
   */
  replace(id: string, fields: RecordFields[C], options?: ReplaceOptions): Promise<RecordOf<C>>;
  /** @throws HoldfastError `RECORD_CHANGED`, `RECORD_IN_USE` */
  delete(id: string, options?: ChangeOptions & { readonly cascade?: boolean }): Promise<DeletedCounts>;
  /**
   * Pages stay consistent while records are added and deleted. @throws HoldfastError `VALIDATION` for an invalid cursor
   */
  list(query: ListRecords): Promise<RecordList<C>>;
}

export interface RecordsOptions<C extends CollectionName> {
  readonly store: RecordStore;
  readonly collection: C;
  /** Throws if the record may not change in this way. */
  checkChange?(before: RecordFields[C], after: RecordFields[C]): void;
  now?(): Date;
}

export function createRecords<C extends CollectionName>(options: RecordsOptions<C>): Records<C> {
  const { store, collection, checkChange, now = () => new Date() } = options;

  async function find(id: string): Promise<StoredRecord> {
    const record = await store.get({ collection, id });
    if (record === undefined) throw recordNotFound(collection, id);
    return record;
  }

  /** @throws HoldfastError `RECORD_CHANGED` if the record has none of the entity tags */
  async function findMatching(id: string, { ifMatch }: ChangeOptions): Promise<StoredRecord> {
    const record = await find(id);
    if (!matchesEntityTag(ifMatch, record)) throw recordChanged(collection, record);
    return record;
  }

  return {
    async create(fields, id = newId()) {
      const at = now().toISOString();
      const record = toNewRecord(collection, { id, createdAt: at, updatedAt: at }, fields);
      try {
        const [created] = await store.write([{ type: 'put', record, ifVersion: 0 }]);
        return toRecord<C>(created as StoredRecord);
      } catch (error) {
        if (!isChanged(error)) throw error;
        throw new HoldfastError('RECORD_EXISTS', `There is a ${RECORD_NAMES[collection]} "${id}" already`);
      }
    },

    async get(id) {
      return toRecord<C>(await find(id));
    },

    replace: (id, fields, options = {}) =>
      untilNoConflict('the record', async () => {
        const before = await findMatching(id, options);
        options.check?.(toRecord<C>(before));
        checkChange?.(before.body as unknown as RecordFields[C], fields);
        const stamp = { id, createdAt: before.createdAt, updatedAt: now().toISOString() };
        const record = toNewRecord(collection, stamp, fields);
        return orConflict(async () => {
          const [after] = await store.write([{ type: 'put', record, ifVersion: before.version }]);
          return toRecord<C>(after as StoredRecord);
        });
      }),

    delete: (id, { cascade = false, ...options } = {}) =>
      untilNoConflict('the record', async () => {
        const before = await findMatching(id, options);
        return orConflict(() => deleteRecord(store, before, { cascade, now: now().toISOString() }));
      }),

    async list({ conditions, sort, limit, cursor }) {
      const descending = sort.startsWith('-');
      const field = sort.replace(/^-/, '');
      const query = { collection, conditions, sort: field, descending };
      const after = cursor === undefined ? {} : { after: decodeCursor(cursor, sort) };
      // One record more than asked for shows whether there is another page.
      const { records, total } = await store.list({ ...query, ...after, limit: limit + 1 });
      const shown = records.slice(0, limit);
      const last = shown.at(-1);
      const isLast = records.length <= limit || last === undefined;
      return {
        records: shown.map((record) => toRecord<C>(record)),
        total,
        next: isLast ? undefined : encodeCursor(sort, { value: valueOf(last, field), id: last.id }),
      };
    },
  };

  function valueOf(record: StoredRecord, field: string): FieldValue {
    if (field === 'createdAt' || field === 'updatedAt') return record[field];
    const fields = record.body as unknown as RecordFields[C];
    return toNewRecord(collection, record, fields).fields[field] ?? '';
  }
}

/**
 * Makes a change. @returns `CONFLICT` if another caller changed a record between the read and the write that depends on it, so
 * that the change is made again; the entity tags are then compared with the new record
 */
async function orConflict<T>(change: () => Promise<T>): Promise<T | typeof CONFLICT> {
  try {
    return await change();
  } catch (error) {
    if (isChanged(error)) return CONFLICT;
    throw error;
  }
}

function isChanged(error: unknown): boolean {
  return isHoldfastError(error) && error.code === 'RECORD_CHANGED';
}

function recordChanged(collection: CollectionName, record: StoredRecord): HoldfastError {
  const { id, version } = record;
  return new HoldfastError(
    'RECORD_CHANGED',
    `The ${RECORD_NAMES[collection]} "${id}" has changed since: it has version ${version}`,
    { details: { version, etag: entityTagOf(record) } },
  );
}

/** @param sort as in the request, because a position is valid in one order only */
function encodeCursor(sort: string, { value, id }: RecordPosition): string {
  return writeCursor([sort, value, id]);
}

/** @throws HoldfastError `VALIDATION` for an invalid cursor, or one of another order */
function decodeCursor(cursor: string, sort: string): RecordPosition {
  const [cursorSort, value, id] = readCursor(cursor, positionSchema);
  if (cursorSort !== sort)
    throw validationError(
      'cursor',
      `cursor is one of a list with sort=${cursorSort}, which has to be given again`,
    );
  return { value, id };
}
