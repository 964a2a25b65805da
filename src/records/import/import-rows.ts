import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { RecordCollection } from '../../contracts/http/records/common';
import { RECORD_COLLECTIONS, RECORD_NAMES, recordIdSchema } from '../../contracts/http/records/common';
import { RECORD_FIELDS } from '../../contracts/http/records/collections';
import { exportEndSchema } from '../../contracts/http/records/exports';
import type { ImportError } from '../../contracts/http/records/imports';
import { isHoldfastError } from '../../base/errors';
import { referenceMissing } from '../../stores/records/errors';
import type { NewRecord, RecordKey, StoredRecord } from '../../stores/records/record';
import type { RecordStore } from '../../stores/records/record-store';
import { toNewRecord } from '../to-new-record';

export interface RowsOptions {
  readonly store: RecordStore;
  readonly importId: string;
  /** Of all rows; absent: each names its own. */
  readonly collection?: RecordCollection;
  /** When records of this import are made, ISO 8601; it tells them from others. */
  readonly startedAt: string;
  /** Of the first row, from 1. */
  readonly firstLine: number;
  /** Keeps the lines that had no record when these rows were first looked at; an attempt after it gets them again. */
  firstLook(lines: readonly number[]): Promise<readonly number[]>;
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

type Outcome = 'created' | 'present' | ImportError;

const rowSchema = z.looseObject({
  collection: z.enum(RECORD_COLLECTIONS).optional(),
  id: recordIdSchema.optional(),
});
/** What an export has besides the fields. */
const READ_ONLY = ['version', 'createdAt', 'updatedAt'];

/**
 * Creates the records of rows, those that can be: each row stands on what was there and on the rows before it, and on none
 * behind. Again with the same rows it creates nothing and comes to the same, as long as nobody has changed the records.
 */
export async function importRows(rows: readonly string[], options: RowsOptions): Promise<ImportedRows> {
  const { store, startedAt, firstLine } = options;
  const outcomes: Outcome[] = [];
  const sound: Row[] = [];
  rows.forEach((text, place) => {
    const line = firstLine + place;
    const read = readRow(text, line, options);
    if (read === 'nothing') return;
    if ('record' in read) sound.push(read);
    else outcomes.push(read);
  });

  /** All at once, or where one of them is refused, each half by itself, in the order of rows. */
  async function create(some: readonly Row[]): Promise<void> {
    const [first] = some;
    if (first === undefined) return;
    options.signal?.throwIfAborted();
    try {
      await store.write(some.map(({ record }) => ({ type: 'put', record, ifVersion: 0 }) as const));
      outcomes.push(...some.map(() => 'created' as const));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (some.length === 1) outcomes.push(await refused(first, error));
      else {
        const half = Math.ceil(some.length / 2);
        await create(some.slice(0, half));
        await create(some.slice(half));
      }
    }
  }

  /** Somebody was there between the look and the write. */
  async function refused(row: Row, error: Refusal): Promise<Outcome> {
    const found = error.code === 'RECORD_CHANGED' ? await store.get(row.record) : undefined;
    if (found !== undefined) return toldApart(row, found.body, found.createdAt === startedAt);
    return toError(row.line, error.message, fieldOf(error.details));
  }

  async function settle(some: readonly Row[]): Promise<void> {
    const known = await findKnown(store, some);
    const unknown = some.filter(({ record }) => !known.has(keyOf(record))).map(({ line }) => line);
    const fresh = new Set(await options.firstLook(unknown));
    // What an attempt before has made is there for the rows behind it only, as it was then.
    const there = new Set(known.keys());
    for (const { line, record } of some) if (fresh.has(line)) there.delete(keyOf(record));
    const own = new Map<string, NewRecord>();
    const missing: Row[] = [];
    for (const row of some) {
      const { line, record } = row;
      const key = keyOf(record);
      const found = known.get(key);
      const before = own.get(key);
      const lost = record.references.find(({ to }) => !there.has(keyOf(to)));
      if (before !== undefined) outcomes.push(toldApart(row, before.body, false));
      else if (found !== undefined && !fresh.has(line)) outcomes.push(toldApart(row, found.body, false));
      else if (lost !== undefined) outcomes.push(toError(line, referenceMissing(lost).message, lost.field));
      else {
        own.set(key, record);
        there.add(key);
        if (found === undefined) missing.push(row);
        else outcomes.push(toldApart(row, found.body, found.createdAt === startedAt, found.version > 1));
      }
    }
    await create(missing);
  }

  if (sound.length > 0) await settle(sound);
  const errors = outcomes.filter((outcome) => typeof outcome === 'object');
  return {
    created: outcomes.filter((outcome) => outcome === 'created').length,
    present: outcomes.filter((outcome) => outcome === 'present').length,
    errors: errors.sort((a, b) => a.line - b.line),
  };
}

/** `nothing` for an empty line, and for what ends an export. */
function readRow(text: string, line: number, options: RowsOptions): Row | ImportError | 'nothing' {
  if (text.trim() === '') return 'nothing';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return toError(line, 'The row is not JSON');
  }
  if (exportEndSchema.safeParse(value).success) return 'nothing';
  const head = rowSchema.safeParse(value);
  if (!head.success) return toIssue(line, head.error);
  const { collection: own, id = idOf(options.importId, line), ...rest } = head.data;
  const collection = own ?? options.collection;
  if (collection === undefined) return toError(line, 'collection is required', 'collection');
  if (options.collection !== undefined && own !== undefined && own !== options.collection)
    return toError(line, `The import is one of ${options.collection}`, 'collection');
  const fields = Object.fromEntries(Object.entries(rest).filter(([name]) => !READ_ONLY.includes(name)));
  const parsed = RECORD_FIELDS[collection].safeParse(fields);
  if (!parsed.success) return toIssue(line, parsed.error);
  const stamp = { id, createdAt: options.startedAt, updatedAt: options.startedAt };
  return { line, record: toNewRecord(collection, stamp, parsed.data) };
}

/** The same for the same row of the same import. */
function idOf(importId: string, line: number): string {
  return createHash('sha256').update(`${importId}\n${line}`).digest('hex').slice(0, 32);
}

const keyOf = ({ collection, id }: RecordKey): string => `${collection}/${id}`;

/** Those of the records of rows, and of what they refer to, that there are. */
async function findKnown(store: RecordStore, rows: readonly Row[]): Promise<Map<string, StoredRecord>> {
  const keys = rows.flatMap(({ record }): RecordKey[] => [record, ...record.references.map(({ to }) => to)]);
  const known = new Map<string, StoredRecord>();
  for (const collection of RECORD_COLLECTIONS) {
    const ids = new Set(keys.filter((key) => key.collection === collection).map(({ id }) => id));
    if (ids.size === 0) continue;
    for (const found of (await store.getMany(collection, [...ids])).values()) known.set(keyOf(found), found);
  }
  return known;
}

/**
 * What became of a row whose record is there.
 * @param isOwn whether an attempt before made it of this row; somebody may have changed it since
 */
function toldApart(row: Row, body: StoredRecord['body'], isOwn: boolean, isChanged = false): Outcome {
  const isSame = isDeepStrictEqual(asKept(body), asKept(row.record.body));
  if (isOwn && (isSame || isChanged)) return 'created';
  if (isSame) return 'present';
  const { collection, id } = row.record;
  return toError(row.line, `There is a ${RECORD_NAMES[collection]} "${id}" already, with other fields`, 'id');
}

/** A field that is undefined is none. */
const asKept = (body: StoredRecord['body']): unknown => JSON.parse(JSON.stringify(body));

type Refusal = Error & { code: string; details?: Record<string, unknown> };

function isRefusal(error: unknown): error is Refusal {
  return isHoldfastError(error) && (error.code === 'RECORD_CHANGED' || error.code === 'RECORD_REFERENCE');
}

function fieldOf(details: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const field = details?.['field'];
  return typeof field === 'string' ? field : undefined;
}

function toIssue(line: number, { issues }: z.ZodError): ImportError {
  const [issue] = issues;
  const field = (issue?.path ?? []).reduce<string>(
    (text, step) =>
      typeof step === 'number' ? `${text}[${step}]` : text === '' ? String(step) : `${text}.${String(step)}`,
    '',
  );
  return toError(line, issue?.message ?? 'The row is not sound', field === '' ? undefined : field);
}

function toError(line: number, message: string, field?: string): ImportError {
  return { line, error: 'Validation error', message, field };
}
