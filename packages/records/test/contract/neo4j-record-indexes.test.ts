import neo4j, { type Driver, type Plan } from 'neo4j-driver';
import { DEFAULT_TENANT } from '../../../../src/contracts/tenants';
import type { RecordQuery } from '../../stores/record-store';
import { createNeo4jRecordStores } from '../../stores/neo4j';
import { listRecords } from '../../stores/neo4j/queries';
import { TenantNames } from '../../stores/neo4j/tenant-names';
import { describeWithNeo4j, useNeo4j } from '../../../../test/support/neo4j';

const SHIPMENTS = 2_000;
const QUERY: RecordQuery = {
  collection: 'shipments',
  conditions: [],
  sort: 'createdAt',
  descending: true,
  after: { value: '2026-01-01T00:00:00.000Z', id: 's' },
  limit: 50,
};

describeWithNeo4j('lists of records on a Neo4j server', () => {
  const address = useNeo4j();
  let driver: Driver;

  beforeAll(async () => {
    const stores = createNeo4jRecordStores({ neo4j: address() });
    await stores.ping();
    await stores.close();
    const { uri, username, password } = address();
    driver = neo4j.driver(uri, neo4j.auth.basic(username, password));
    // The planner chooses by what the server knows of the data, so there are data, and it knows them.
    for (const labels of ['HoldfastShipment', 'HoldfastTenantShipment'])
      await driver.executeQuery(
        `UNWIND range(1, $count) AS n
         CREATE (record:HoldfastRecord:${labels} {key: $labels + n, tenant: 'acme', id: toString(n)})
         SET record.createdAt = toString(datetime({epochSeconds: 1700000000 + n}))`,
        { count: SHIPMENTS, labels },
      );
    await driver.executeQuery('CALL db.prepareForReplanning(120)');
  });
  afterAll(async () => {
    await driver.executeQuery('MATCH (record:HoldfastRecord) DETACH DELETE record');
    await driver.close();
  });

  /** The operators with which the plans of a list begin, and those that sort; first of the page, then of the count. */
  async function explain(tenant: string): Promise<string[][]> {
    const plans: Promise<string[]>[] = [];
    const run = (cypher: string, parameters = {}): Promise<[]> => {
      const explained = driver.executeQuery(`EXPLAIN ${cypher}`, parameters);
      plans.push(explained.then(({ summary }) => shorten(summary.plan as Plan)));
      return Promise.resolve([]);
    };
    await listRecords({ run }, new TenantNames(tenant), QUERY);
    return Promise.all(plans);
  }

  function shorten({ operatorType, arguments: details, children }: Plan): string[] {
    const name = operatorType.replace(/@.*/, '');
    if (children.length === 0) return [`${name} ${String(details['Details']).replace(/ WHERE.*/, '')}`];
    const before = children.flatMap(shorten);
    return /Sort|Top/.test(name) ? [...before, name] : before;
  }

  // Only records with the same time are sorted (`PartialTop`).
  test.each([
    [
      DEFAULT_TENANT,
      'NodeIndexSeekByRange RANGE INDEX record:HoldfastShipment(createdAt)',
      'NodeCountFromCountStore count( (:HoldfastShipment) ) AS total',
    ],
    [
      'acme',
      'NodeIndexSeek RANGE INDEX record:HoldfastTenantShipment(tenant, createdAt)',
      'NodeIndexSeek RANGE INDEX record:HoldfastTenantShipment(tenant)',
    ],
  ])('read an index in its order, and count without other tenants: %s', async (tenant, page, count) => {
    expect(await explain(tenant)).toEqual([[page, 'PartialTop'], [count]]);
  });
});
