import { setImmediate as nextIteration } from 'node:timers/promises';
import { type RecordCollection, RECORD_NAMES } from '../contracts/common';
import type { StoredRecord, RecordKey, Reference, Referrer, Movement } from './record';
import type { RecordStore, GoodsAt } from './record-store';
import { HoldfastError } from '../../../src/base/errors';

/** The key of every movement. */
const ANY = '*';
/** The key of a movement with goods of an unknown lot. */
const UNKNOWN = '-';
const lotKey = (lot: string): string => `=${lot}`;

/** The maximum number of referrers that an error names. */
export const MAX_REFERRERS_NAMED = 20;

const READ_AT_ONCE = 200;

/**
 * Reads the records that exist. A record may be as long as a request body, so only some are in memory at once if the caller
 * keeps a part of each.
 */
export async function* readRecords(
  store: Pick<RecordStore, 'getMany'>,
  collection: RecordCollection,
  ids: readonly string[],
): AsyncGenerator<StoredRecord> {
  for (let begin = 0; begin < ids.length; begin += READ_AT_ONCE) {
    yield* (await store.getMany(collection, ids.slice(begin, begin + READ_AT_ONCE))).values();
    await nextIteration();
  }
}

export function recordNotFound(collection: RecordCollection, id: string): HoldfastError {
  return new HoldfastError('RECORD_NOT_FOUND', `There is no ${RECORD_NAMES[collection]} "${id}"`);
}

/** The error of a change whose record has another version. `version` is that one, or 0 if the record does not exist. */
export function recordChanged(key: RecordKey, version: number): HoldfastError {
  const name = `The ${RECORD_NAMES[key.collection]} "${key.id}"`;
  const message = version === 0 ? `${name} does not exist` : `${name} has version ${version}`;
  return new HoldfastError('RECORD_CHANGED', message, { details: { version } });
}

export function referenceMissing({ field, to }: Reference): HoldfastError {
  const message = `There is no ${RECORD_NAMES[to.collection]} "${to.id}"`;
  return new HoldfastError('RECORD_REFERENCE', message, { details: { field, message } });
}

export function recordInUse(key: RecordKey, referrers: readonly Referrer[]): HoldfastError {
  return new HoldfastError(
    'RECORD_IN_USE',
    `The ${RECORD_NAMES[key.collection]} "${key.id}" is referred to; delete what refers to it first, or ask for cascade=true`,
    { details: { referredToBy: referrers } },
  );
}

/** The keys of a movement for traces that follow goods forwards: its lots, and the lots from which they were made. */
export function departureKeys({ items }: Movement): string[] {
  return toKeys(items.flatMap(({ lot, sourceLots }) => [lot, ...sourceLots]));
}

/** The keys of a movement for traces that follow goods backwards: its lots. */
export function arrivalKeys({ items }: Movement): string[] {
  return toKeys(items.map(({ lot }) => lot));
}

/** The keys that a trace of these goods looks for. */
export function wantedKeys({ lot }: GoodsAt): string[] {
  return lot === null ? [ANY] : [lotKey(lot), UNKNOWN];
}

function toKeys(lots: readonly (string | null)[]): string[] {
  return [ANY, ...new Set(lots.map((lot) => (lot === null ? UNKNOWN : lotKey(lot))))];
}
