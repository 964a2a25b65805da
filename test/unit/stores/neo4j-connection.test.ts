import events from 'node:events';
import { Neo4jConnection } from '../../../src/stores/neo4j/connection';
import { type BoltServer, startBoltServer } from '../../support/bolt-server';
import { waitFor } from '../../support/wait';

let server: BoltServer;
let connection: Neo4jConnection;

beforeEach(async () => {
  server = await startBoltServer();
});
afterEach(async () => {
  jest.restoreAllMocks();
  // A driver waits for the end of its connections.
  await Promise.all([connection.close(), server.close()]);
});

function connect(operationLimitMs?: number): void {
  const uri = `bolt://127.0.0.1:${server.port}`;
  connection = new Neo4jConnection({
    uri,
    username: 'neo4j',
    password: 'p',
    ...(operationLimitMs === undefined ? {} : { operationLimitMs }),
  });
}

const readMany = (): Promise<PromiseSettledResult<unknown>[]> =>
  Promise.allSettled(Array.from({ length: 40 }, () => connection.read('RETURN 1')));

test('many operations at once are no leak that Node.js would warn of', async () => {
  const unlimited = jest.spyOn(events, 'setMaxListeners');
  const listened = jest.spyOn(AbortSignal.prototype, 'addEventListener');
  connect();
  await readMany();
  const signals = listened.mock.contexts;
  const shared = signals.find((one) => signals.filter((other) => other === one).length >= 40);
  expect(shared).toBeInstanceOf(AbortSignal);
  expect(unlimited).toHaveBeenCalledWith(0, shared);
});

test('connections that a network has lost are given up, so that operations use new ones', async () => {
  connect(200);
  await waitFor(async () => (await readMany()).every(({ status }) => status === 'fulfilled'), {
    what: 'the connections',
  });
  server.mute();
  for (const outcome of await readMany())
    expect(outcome).toMatchObject({ reason: { code: 'STORE_UNAVAILABLE' } });
  await waitFor(
    () =>
      connection.read('RETURN 1').then(
        () => true,
        () => false,
      ),
    { what: 'an operation' },
  );
});

test('a row that is nested too deeply fails its operation, and the next one is made', async () => {
  const LIST_OF_ONE = 0x91;
  const nested = await startBoltServer({
    value: Buffer.concat([Buffer.alloc(200_000, LIST_OF_ONE), Buffer.from([0xc0])]),
  });
  await server.close();
  server = nested;
  connect(2_000);
  for (const _ of [1, 2])
    await expect(connection.read('RETURN 1')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
});
