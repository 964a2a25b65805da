import { DEFAULT_TENANT } from '../../../../../src/contracts/tenants';
import type { Row, Statements } from '../../../../../src/stores/neo4j/connection';
import { writeRecords } from '../../../stores/neo4j/changes';
import { TenantNames } from '../../../stores/neo4j/tenant-names';
import type { NewRecord } from '../../../stores/record';

test('of the records that a change refers to, the keys alone are read', async () => {
  const asked: { readonly cypher: string; readonly keys: unknown }[] = [];
  const statements: Statements = {
    run(cypher, { keys } = {}): Promise<Row[]> {
      asked.push({ cypher, keys });
      return Promise.resolve(cypher.includes('RETURN record.key AS key') ? [{ key: 'facilities/f' }] : []);
    },
  };
  const record: NewRecord = {
    collection: 'inspections',
    id: 'i',
    createdAt: '2026-01-02T03:04:05.678Z',
    updatedAt: '2026-01-02T03:04:05.678Z',
    body: {},
    fields: {},
    tags: {},
    text: '',
    references: [{ field: 'facilityId', to: { collection: 'facilities', id: 'f' } }],
    movement: null,
  };
  const names = new TenantNames(DEFAULT_TENANT);
  const { commit } = await writeRecords(statements, names, [{ type: 'put', record, ifVersion: 0 }]);
  expect(commit).toBe(true);
  const states = asked.filter(({ cypher }) => cypher.includes('RETURN record.state'));
  expect(states.map(({ keys }) => keys)).toEqual([['inspections/i']]);
});
