import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import {
  RECORD_COLLECTIONS,
  RECORD_NAMES,
  type RecordCollection,
  recordIdSchema,
} from '../../contracts/common';
import { RECORD_FIELDS } from '../../contracts/collections';
import type { ImportError } from '../../../../src/contracts/http/imports';
import { isHoldfastError } from '../../../../src/base/errors';
import { parseJson } from '../../../../src/base/json/parse';
import { readRowJson, toError, toIssue } from '../../../../src/imports/row-json';
import { splitIntoBatches } from '../../../../src/base/lists';
import type { NewRecord, RecordKey, StoredRecord } from '../../stores/record';
import type { RecordStore } from '../../stores/record-store';
import { readRecords, referenceMissing } from '../../stores/adapter-support';
import { toNewRecord } from '../to-new-record';
import { exportEndSchema } from '../../contracts/imports';
import { createYielder } from '../../../../src/base/async/large-pieces';

export interface RowsOptions {
  readonly store: RecordStore;
  readonly importId: string;
  /** The collection of all rows; absent: each row names its collection. */
  readonly collection?: RecordCollection;
  /** The time of creation of this import's records, ISO 8601; it distinguishes them from others. */
  readonly startedAt: string;
  /** The line number of the first row, from 1. */
  readonly firstLine: number;
  /**
   * Stores the lines that had no record when an attempt first looked at these rows; later attempts get the same lines.
   */
  storeFirstLook(lines: readonly number[]): Promise<readonly number[]>;
  /** Once it aborts, nothing more is written. */
  readonly signal?: AbortSignal;
}

export interface ImportedRows {
  readonly created: number;
  readonly present: number;
  readonly errors: readonly ImportError[];
}

interface Row {
  readonly line: number;
  readonly record: NewRecord;
}

/**
 * The rows of one transaction have at most this many references and values of tags together, such as lots, unless a single row has
 * more. Each is an entry of an index: more of them would occupy the process of the embedded store for seconds, and take longer than
 * an operation of Neo4j may.
 */
const MAX_ENTRIES = 5_000;

type Outcome = 'created' | 'present' | ImportError;

const rowSchema = z.looseObject({
  collection: z.enum(RECORD_COLLECTIONS).optional(),
  id: recordIdSchema.optional(),
});
/** Properties of an exported record besides its fields. */
const READ_ONLY = ['version', 'createdAt', 'updatedAt'];

/**
 * Creates the records of the valid rows. A row may refer to records that existed before and to rows before it, and not
 * to later rows. A repeat with the same rows creates nothing and has the same result, as long as no caller has changed
 * the records.
 */
export async function importRows(rows: readonly string[], options: RowsOptions): Promise<ImportedRows> {
  const { store, startedAt, firstLine } = options;
  const outcomes: Outcome[] = [];
  const valid: Row[] = [];
  const yieldIfLong = createYielder();
  for (const [place, text] of rows.entries()) {
    await yieldIfLong();
    const read = readRow(text, firstLine + place, options);
    if (read === 'nothing') continue;
    if ('record' in read) valid.push(read);
    else outcomes.push(read);
  }

  /** Creates all records of a batch at once or, if the store refuses one of them, each half separately in the order of rows. */
  async function create(some: readonly Row[]): Promise<void> {
    const [first] = some;
    if (first === undefined) return;
    options.signal?.throwIfAborted();
    try {
      await store.write(some.map(({ record }) => ({ type: 'put', record, ifVersion: 0 }) as const));
      outcomes.push(...some.map(() => 'created' as const));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (some.length === 1) outcomes.push(await toRefusedOutcome(first, error));
      else {
        const half = Math.ceil(some.length / 2);
        await create(some.slice(0, half));
        await create(some.slice(half));
      }
    }
  }

  /** The outcome of a refused row: another caller changed the store between the look and the write. */
  async function toRefusedOutcome(row: Row, error: Refusal): Promise<Outcome> {
    const match = error.code === 'RECORD_CHANGED' ? await store.get(row.record) : undefined;
    if (match !== undefined) return compareWithStored(row, match.body, match.createdAt === startedAt);
    return toError(row.line, error.message, readField(error.details));
  }

  async function importInOrder(some: readonly Row[]): Promise<void> {
    const known = await findKnown(store, some);
    const unknown = some.filter(({ record }) => !known.has(toKey(record))).map(({ line }) => line);
    const fresh = new Set(await options.storeFirstLook(unknown));
    // A record that an earlier attempt created exists only for the rows after it, as in that attempt.
    const there = new Set(known.keys());
    for (const { line, record } of some) if (fresh.has(line)) there.delete(toKey(record));
    const batchRecords = new Map<string, NewRecord>();
    const unwritten: Row[] = [];
    for (const row of some) {
      const { line, record } = row;
      const key = toKey(record);
      const match = known.get(key);
      const before = batchRecords.get(key);
      const missingReference = record.references.find(({ to }) => !there.has(toKey(to)));
      if (before !== undefined) outcomes.push(compareWithStored(row, before.body, false));
      else if (match !== undefined && !fresh.has(line))
        outcomes.push(compareWithStored(row, match.body, false));
      else if (missingReference !== undefined)
        outcomes.push(toError(line, referenceMissing(missingReference).message, missingReference.field));
      else {
        batchRecords.set(key, record);
        there.add(key);
        if (match === undefined) unwritten.push(row);
        else
          outcomes.push(compareWithStored(row, match.body, match.createdAt === startedAt, match.version > 1));
      }
    }
    for (const batch of splitIntoBatches(unwritten, { sizeOf: countEntries, maxSize: MAX_ENTRIES })) {
      await yieldIfLong();
      await create(batch);
    }
  }

  if (valid.length > 0) await importInOrder(valid);
  const errors = outcomes.filter((outcome) => typeof outcome === 'object');
  return {
    created: outcomes.filter((outcome) => outcome === 'created').length,
    present: outcomes.filter((outcome) => outcome === 'present').length,
    errors: errors.sort((a, b) => a.line - b.line),
  };
}

/** Reads a row; `nothing` for an empty line, and for the end of an export. */
function readRow(text: string, line: number, options: RowsOptions): Row | ImportError | 'nothing' {
  if (text.trim() === '') return 'nothing';
  const read = readRowJson(text, line);
  if ('error' in read) return read.error;
  const { value } = read;
  if (exportEndSchema.safeParse(value).success) return 'nothing';
  const head = rowSchema.safeParse(value);
  if (!head.success) return toIssue(line, head.error);
  const { collection: ownCollection, id = deriveId(options.importId, line), ...rest } = head.data;
  const collection = ownCollection ?? options.collection;
  if (collection === undefined) return toError(line, 'collection is required', 'collection');
  if (options.collection !== undefined && ownCollection !== undefined && ownCollection !== options.collection)
    return toError(line, `The import is one of ${options.collection}`, 'collection');
  const fields = Object.fromEntries(Object.entries(rest).filter(([name]) => !READ_ONLY.includes(name)));
  const parsed = RECORD_FIELDS[collection].safeParse(fields);
  if (!parsed.success) return toIssue(line, parsed.error);
  const stamp = { id, createdAt: options.startedAt, updatedAt: options.startedAt };
  return { line, record: toNewRecord(collection, stamp, parsed.data) };
}

/** The references and the values of tags of a row. */
function countEntries({ record: { references, tags } }: Row): number {
  return Object.values(tags).reduce((sum, values) => sum + values.length, references.length);
}

/** Derives an id that is the same for the same row of the same import. */
function deriveId(importId: string, line: number): string {
  return createHash('sha256').update(`${importId}\n${line}`).digest('hex').slice(0, 32);
}

const toKey = ({ collection, id }: RecordKey): string => `${collection}/${id}`;

/**
 * Reads the existing records among those of the rows and those to which the rows refer. These are without their fields, because
 * a few rows may refer to thousands of long records.
 */
async function findKnown(store: RecordStore, rows: readonly Row[]): Promise<Map<string, StoredRecord>> {
  const rowKeys = new Set(rows.map(({ record }) => toKey(record)));
  const keys = rows.flatMap(({ record }): RecordKey[] => [record, ...record.references.map(({ to }) => to)]);
  const known = new Map<string, StoredRecord>();
  for (const collection of RECORD_COLLECTIONS) {
    const ids = new Set(keys.filter((key) => key.collection === collection).map(({ id }) => id));
    for await (const match of readRecords(store, collection, [...ids])) {
      const key = toKey(match);
      known.set(key, rowKeys.has(key) ? match : { ...match, body: {} });
    }
  }
  return known;
}

/**
 * The outcome of a row whose record exists.
 * @param isOwn whether an earlier attempt created it from this row; a caller may have changed it since
 */
function compareWithStored(row: Row, body: StoredRecord['body'], isOwn: boolean, isChanged = false): Outcome {
  const isSame = isDeepStrictEqual(toStoredForm(body), toStoredForm(row.record.body));
  if (isOwn && (isSame || isChanged)) return 'created';
  if (isSame) return 'present';
  const { collection, id } = row.record;
  return toError(row.line, `There is a ${RECORD_NAMES[collection]} "${id}" already, with other fields`, 'id');
}

/** The body in its stored form, in which undefined fields are absent. */
const toStoredForm = (body: StoredRecord['body']): unknown => parseJson(JSON.stringify(body));

type Refusal = Error & { code: string; details?: Record<string, unknown> };

function isRefusal(error: unknown): error is Refusal {
  return isHoldfastError(error) && (error.code === 'RECORD_CHANGED' || error.code === 'RECORD_REFERENCE');
}

function readField(details: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const field = details?.['field'];
  return typeof field === 'string' ? field : undefined;
}
