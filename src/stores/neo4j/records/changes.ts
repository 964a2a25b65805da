import { MAX_REFERRERS_NAMED, recordChanged, recordInUse, referenceMissing } from '../../records/errors';
import type { RecordKey, Referrer, StoredRecord } from '../../records/record';
import type { RecordChange } from '../../records/record-store';
import type { Outcome, Statements } from '../connection';
import type { VersionedRecord } from './put';
import { clearRelations, putRecords } from './put';
import { findRecords, lockRecords, toStoredRecord } from './rows';
import type { TenantNames } from './tenant-names';

const REFERRERS = `MATCH (:HoldfastRecord {key: $key})<-[reference:REFERS_TO]-(record:HoldfastRecord)
  RETURN record.key AS key, reference.field AS field ORDER BY key, field LIMIT toInteger($limit)`;
const REMOVE = 'UNWIND $keys AS key MATCH (record:HoldfastRecord {key: key}) DETACH DELETE record';

const keyOfChange = (change: RecordChange): RecordKey => (change.type === 'put' ? change.record : change);

/**
 * Does what `RecordStore.write` does. It first locks all records that are changed, deleted or referred to, so that no
 * transaction refers to a record while another one deletes it.
 */
export async function writeRecords(
  statements: Statements,
  names: TenantNames,
  changes: readonly RecordChange[],
): Promise<Outcome<StoredRecord[]>> {
  const involved = changes.flatMap((change) => [
    keyOfChange(change),
    ...(change.type === 'put' ? change.record.references.map(({ to }) => to) : []),
  ]);
  const [, found] = await Promise.all([
    lockRecords(statements, names, involved),
    findRecords(statements, names, involved),
  ]);
  const versions = new Map(found.map((record) => [names.key(record), record.version]));
  const puts = checkVersions(names, changes, versions);
  for (const { record } of puts) {
    const missing = record.references.find(({ to }) => (versions.get(names.key(to)) ?? 0) === 0);
    if (missing !== undefined) throw referenceMissing(missing);
  }
  const deletes = changes.filter((change) => change.type === 'delete');
  const deleted = deletes.map((key) => names.key(key));
  await Promise.all([clearRelations(statements, deleted), putRecords(statements, names, puts)]);
  for (const key of deletes) {
    const referrers = await findReferrers(statements, names, key, MAX_REFERRERS_NAMED);
    if (referrers.length > 0) throw recordInUse({ collection: key.collection, id: key.id }, referrers);
  }
  if (deleted.length > 0) await statements.run(REMOVE, { keys: deleted });
  return { commit: true, value: puts.map(({ record, version }) => toStoredRecord(record, version)) };
}

/**
 * Checks `ifVersion` of each change, and sets `versions` to the versions after the changes, 0 for deleted records.
 * @throws HoldfastError as `RecordStore.write` where a record has another version
 */
function checkVersions(
  names: TenantNames,
  changes: readonly RecordChange[],
  versions: Map<string, number>,
): VersionedRecord[] {
  const puts: VersionedRecord[] = [];
  for (const change of changes) {
    const key = keyOfChange(change);
    const version = versions.get(names.key(key)) ?? 0;
    if (version !== change.ifVersion) throw recordChanged(key, version);
    versions.set(names.key(key), change.type === 'put' ? version + 1 : 0);
    if (change.type === 'put') puts.push({ record: change.record, version: version + 1 });
  }
  return puts;
}

export async function findReferrers(
  statements: Statements,
  names: TenantNames,
  key: RecordKey,
  limit: number,
): Promise<Referrer[]> {
  const rows = await statements.run(REFERRERS, { key: names.key(key), limit });
  return rows.map((row) => ({ ...names.parseKey(row['key'] as string), field: row['field'] as string }));
}
