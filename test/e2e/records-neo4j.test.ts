import { DEMO_WORLD } from '../../src/records/demo-world';
import { NEO4J_WAIT_MS, describeWithNeo4j, queryNeo4j, useNeo4j } from '../support/neo4j';
import { openRecords, type RecordsApi } from '../support/records-api';

describeWithNeo4j('records on Neo4j', () => {
  const address = useNeo4j();
  let first: RecordsApi;
  let second: RecordsApi;

  beforeAll(async () => {
    const { uri, username, password } = address();
    const settings = {
      GRAPH_STORE: 'neo4j',
      NEO4J_URI: uri,
      NEO4J_USERNAME: username,
      NEO4J_PASSWORD: password,
    };
    // The settings are those of processes on separate machines, which share nothing but the server.
    [first, second] = await Promise.all([openRecords(settings), openRecords(settings)]);
    await first.fill(DEMO_WORLD);
  }, NEO4J_WAIT_MS);
  afterAll(async () => {
    await first.close();
    await second.close();
  });

  test('what one API was given the other finds, lists and traces', async () => {
    const { body } = await second.get('/api/contaminants/listeria/trace?direction=both');
    const ids = (found: { id: string }[]): string[] => found.map(({ id }) => id);
    expect(ids(body.data.downstream.facilities)).toEqual([
      'wholesaler-lyon',
      'shop-grenoble',
      'kitchen-lyon',
      'shop-geneva',
    ]);
    expect(ids(body.data.upstream.facilities)).toEqual(
      expect.arrayContaining(['farm-pellice', 'farm-stura']),
    );
    const listed = await second.get('/api/shipments?lot=ROB-0412&q=robiola&sort=departureAt&limit=2');
    expect([listed.body.data.total, ids(listed.body.data.shipments)]).toEqual([
      6,
      ['cheese-0413', 'lyon-0414'],
    ]);
  });

  test('a change of one is seen by the other, entity tag and all', async () => {
    const before = await second.get('/api/shipments/geneva-0421');
    const held = { ...before.body.data, status: 'held' };
    const tag = before.headers.get('etag')!;
    const changed = await first.send('PUT', '/api/shipments/geneva-0421', held, { 'if-match': tag });
    expect([changed.status, changed.body.data.version]).toEqual([200, 2]);
    const late = await second.send('PUT', '/api/shipments/geneva-0421', held, { 'if-match': tag });
    expect([late.status, late.body.error]).toEqual([412, 'Record changed']);
    const refused = await second.send('DELETE', '/api/facilities/shop-geneva');
    expect([refused.status, refused.body.error]).toEqual([409, 'Record in use']);
  });

  test('references are relationships in the graph', async () => {
    const [row] = await queryNeo4j(
      address(),
      `MATCH (:HoldfastContaminant {id: 'listeria'})-[:REFERS_TO]->(:HoldfastShipment)-[:ARRIVES_AT]->(facility)
       RETURN facility.id AS id`,
    );
    expect(row).toEqual({ id: 'wholesaler-lyon' });
  });
});
