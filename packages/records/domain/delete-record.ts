import type { Contaminant } from '../contracts/contaminants';
import { RECORD_COLLECTIONS, type RecordCollection } from '../contracts/common';
import { HoldfastError, isHoldfastError } from '../../../src/base/errors';
import type { RecordKey, StoredRecord } from '../stores/record';
import type { RecordChange, RecordStore } from '../stores/record-store';
import { readRecords, recordChanged } from '../stores/adapter-support';
import { toNewRecord } from './to-new-record';

/** Numbers of deleted records by collection; `detections` were removed from contaminants, which stay. */
export type DeletedCounts = Readonly<Record<RecordCollection | 'detections', number>>;

interface DeleteOptions {
  /** Whether records that refer to it are deleted too. */
  readonly cascade: boolean;
  /** ISO 8601. */
  readonly now: string;
}

/** Maximum number of records that one deletion removes or changes, itself included: it is one transaction. */
export const MAX_CASCADED = 1_000;

type Version = RecordKey & Pick<StoredRecord, 'version'>;

const toVersion = ({ collection, id, version }: StoredRecord): Version => ({ collection, id, version });

const keyText = ({ collection, id }: RecordKey): string => `${collection}/${id}`;

/**
 * Deletes a record in the version that was read, with `cascade` also all records that refer to it, directly or by way
 * of others. Contaminants only lose the detections.
 * @throws HoldfastError `RECORD_CHANGED` if another caller changed a record, or with `cascade` added one, in between;
 * `RECORD_IN_USE` if records refer to it without `cascade`, or too many with it
 */
export async function deleteRecord(
  store: RecordStore,
  record: StoredRecord,
  { cascade, now }: DeleteOptions,
): Promise<DeletedCounts> {
  const gone = new Map([[keyText(record), toVersion(record)]]);
  const trimmed = new Map<string, StoredRecord>();
  for (let added = cascade ? [...gone.values()] : []; added.length > 0;) {
    const referrers = await findReferrers(store, added, [...gone.keys(), ...trimmed.keys()]);
    added = [];
    for (const collection of RECORD_COLLECTIONS) {
      const ids = referrers.filter((one) => one.collection === collection).map(({ id }) => id);
      for await (const referrer of readRecords(store, collection, ids)) {
        if (collection === 'contaminants') trimmed.set(keyText(referrer), referrer);
        else added.push(toVersion(referrer));
      }
    }
    for (const one of added) gone.set(keyText(one), one);
  }
  const counts = { facilities: 0, shipments: 0, contaminants: 0, inspections: 0, detections: 0 };
  const changes: RecordChange[] = [];
  for (const { collection, id, version } of gone.values()) {
    counts[collection] += 1;
    changes.push({ type: 'delete', collection, id, ifVersion: version });
  }
  for (const contaminant of trimmed.values()) {
    const fields = contaminant.body as unknown as Contaminant;
    const isGone = (collection: RecordCollection, id: string | undefined): boolean =>
      id !== undefined && gone.has(keyText({ collection, id }));
    const detections = fields.detections.filter(
      ({ facilityId, shipmentId }) => !isGone('facilities', facilityId) && !isGone('shipments', shipmentId),
    );
    counts.detections += fields.detections.length - detections.length;
    const stamp = { id: contaminant.id, createdAt: contaminant.createdAt, updatedAt: now };
    const changed = toNewRecord('contaminants', stamp, { ...fields, detections });
    changes.push({ type: 'put', record: changed, ifVersion: contaminant.version });
  }
  try {
    await store.write(changes);
  } catch (error) {
    if (cascade && isInUse(error)) throw recordChanged(record, record.version);
    throw error;
  }
  return counts;
}

/** Whether a record refers to a deleted one that is not deleted too: with `cascade`, another caller has just created or changed it. */
function isInUse(error: unknown): boolean {
  return isHoldfastError(error) && error.code === 'RECORD_IN_USE';
}

/** Finds the other records that refer to any of some records, each once: a record may refer to them in many places. */
async function findReferrers(
  store: RecordStore,
  keys: readonly RecordKey[],
  already: readonly string[],
): Promise<RecordKey[]> {
  for (let limit = MAX_CASCADED + 1; ; limit *= 4) {
    const references = await store.referrers(keys, limit);
    const referrers = new Map(references.map((one) => [keyText(one), one]));
    for (const key of already) referrers.delete(key);
    if (already.length + referrers.size > MAX_CASCADED) {
      throw new HoldfastError(
        'RECORD_IN_USE',
        `More than ${MAX_CASCADED} records would be deleted or changed with it; delete the records that refer to it first`,
      );
    }
    if (references.length < limit) return [...referrers.values()];
  }
}
