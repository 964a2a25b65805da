import { DEFAULT_TENANT } from '../../../src/contracts/tenants';
import { writeRecords } from '../../../src/stores/neo4j/records/changes';
import { TenantNames } from '../../../src/stores/neo4j/records/tenant-names';

test('a deletion of many records has few round trips, so that it ends within the time of an operation', async () => {
  const deletions = Array.from({ length: 1_000 }, (_, n) => {
    return { type: 'delete', collection: 'inspections', id: `i-${n}`, ifVersion: 1 } as const;
  });
  const states = deletions.map(({ collection, id }) => JSON.stringify({ collection, id, version: 1 }));
  const run = jest.fn((cypher: string) =>
    Promise.resolve(cypher.includes('record.state') ? states.map((state) => ({ state })) : []),
  );
  const outcome = await writeRecords({ run }, new TenantNames(DEFAULT_TENANT), deletions);
  expect(outcome).toEqual({ commit: true, value: [] });
  expect(run.mock.calls.length).toBeLessThan(10);
});
