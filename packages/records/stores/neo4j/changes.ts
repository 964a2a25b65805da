import type { RecordKey, Referrer, StoredRecord } from '../record';
import type { RecordChange } from '../record-store';
import type { Outcome, Row, Statements } from '../../../../src/stores/neo4j/connection';
import { clearRelations, putRecords, type VersionedRecord } from './put';
import { findPresent, findRecords, lockRecords, toStoredRecord } from './rows';
import type { TenantNames } from './tenant-names';
import { MAX_REFERRERS_NAMED, recordChanged, recordInUse, referenceMissing } from '../adapter-support';

const REFERRERS = `MATCH (target:HoldfastRecord)<-[reference:REFERS_TO]-(record:HoldfastRecord) WHERE target.key IN $keys
  RETURN target.key AS target, record.key AS key, reference.field AS field
  ORDER BY target, key, field LIMIT toInteger($limit)`;
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
  const changed = changes.map(keyOfChange);
  const referredTo = changes.flatMap((change) =>
    change.type === 'put' ? change.record.references.map(({ to }) => to) : [],
  );
  const [, records, present] = await Promise.all([
    lockRecords(statements, names, [...changed, ...referredTo]),
    findRecords(statements, names, changed),
    findPresent(statements, names, referredTo),
  ]);
  const versions = new Map(records.map((record) => [names.key(record), record.version]));
  const puts = checkVersions(names, changes, versions);
  // A batch may delete or create a record to which another one of it refers.
  const exists = (key: string): boolean => (versions.has(key) ? versions.get(key) !== 0 : present.has(key));
  for (const { record } of puts) {
    const missing = record.references.find(({ to }) => !exists(names.key(to)));
    if (missing !== undefined) throw referenceMissing(missing);
  }
  const deletes = changes.filter((change) => change.type === 'delete');
  const deleted = deletes.map((key) => names.key(key));
  await Promise.all([clearRelations(statements, deleted), putRecords(statements, names, puts)]);
  if (deleted.length > 0) {
    await requireUnreferenced(statements, names, deleted);
    await statements.run(REMOVE, { keys: deleted });
  }
  return { commit: true, value: puts.map(({ record, version }) => toStoredRecord(record, version)) };
}

/**
 * Checks `ifVersion` of each change, and sets `versions` to the versions after the changes, 0 for deleted records.
 * @throws HoldfastError as `RecordStore.write` if a record has another version
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

/** Asks for all records at once, because a transaction with a round trip for each of a thousand would not end in time. */
async function requireUnreferenced(
  statements: Statements,
  names: TenantNames,
  keys: readonly string[],
): Promise<void> {
  const rows = await statements.run(REFERRERS, { keys, limit: MAX_REFERRERS_NAMED });
  const target = rows[0]?.['target'] as string | undefined;
  if (target === undefined) return;
  const referrers = rows.filter((row) => row['target'] === target).map((row) => toReferrer(names, row));
  throw recordInUse(names.parseKey(target), referrers);
}

export async function findReferrers(
  statements: Statements,
  names: TenantNames,
  keys: readonly RecordKey[],
  limit: number,
): Promise<Referrer[]> {
  const rows = await statements.run(REFERRERS, { keys: keys.map((key) => names.key(key)), limit });
  return rows.map((row) => toReferrer(names, row));
}

function toReferrer(names: TenantNames, { key, field }: Row): Referrer {
  return { ...names.parseKey(key as string), field: field as string };
}
