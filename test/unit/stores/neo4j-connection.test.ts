import events from 'node:events';
import { Neo4jConnection } from '../../../src/stores/neo4j/connection';
import { startBoltServer } from '../../support/bolt-server';

test('many operations at once are no leak that Node.js would warn of', async () => {
  const server = await startBoltServer();
  const uri = `bolt://127.0.0.1:${server.port}`;
  const unlimited = jest.spyOn(events, 'setMaxListeners');
  const listened = jest.spyOn(AbortSignal.prototype, 'addEventListener');
  const connection = new Neo4jConnection({ uri, username: 'neo4j', password: 'p' });
  try {
    await Promise.all(Array.from({ length: 20 }, () => connection.read('RETURN 1')));
    const signals = listened.mock.contexts;
    const shared = signals.find((one) => signals.filter((other) => other === one).length === 20);
    expect(shared).toBeInstanceOf(AbortSignal);
    expect(unlimited).toHaveBeenCalledWith(0, shared);
  } finally {
    jest.restoreAllMocks();
    await connection.close();
    await server.close();
  }
});
