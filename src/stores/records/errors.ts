import { HoldfastError } from '../../base/errors';
import { RECORD_NAMES, type RecordCollection } from '../../contracts/http/records/common';
import type { RecordKey, Reference, Referrer } from './record';

export function recordNotFound(collection: RecordCollection, id: string): HoldfastError {
  return new HoldfastError('RECORD_NOT_FOUND', `There is no ${RECORD_NAMES[collection]} "${id}"`);
}

/** The error of a change whose record has another version. `found` is that version, or 0 if the record does not exist. */
export function recordChanged(key: RecordKey, found: number): HoldfastError {
  const name = `The ${RECORD_NAMES[key.collection]} "${key.id}"`;
  const message = found === 0 ? `${name} does not exist` : `${name} has version ${found}`;
  return new HoldfastError('RECORD_CHANGED', message, { details: { version: found } });
}

export function referenceMissing({ field, to }: Reference): HoldfastError {
  const message = `There is no ${RECORD_NAMES[to.collection]} "${to.id}"`;
  return new HoldfastError('RECORD_REFERENCE', message, { details: { field, message } });
}

/** The maximum number of referrers that an error names. */
export const MAX_REFERRERS_NAMED = 20;

export function recordInUse(key: RecordKey, referrers: readonly Referrer[]): HoldfastError {
  return new HoldfastError(
    'RECORD_IN_USE',
    `The ${RECORD_NAMES[key.collection]} "${key.id}" is referred to; delete what refers to it first, or ask for cascade=true`,
    { details: { referredToBy: referrers } },
  );
}
