import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { HoldfastError } from '../../../../src/base/errors';
import { checkNeo4jServer } from '../../../../src/stores/neo4j/check-server';
import { freePort } from '../../../support/free-port';
import { graphReason } from '../../../../src/memory/stores/connect';

const PASSWORD = 'a-secret-password';

async function reasonAt(uri: string, isNamed = true): Promise<string> {
  const error: unknown = await checkNeo4jServer({ uri, username: 'somebody', password: PASSWORD }).then(
    () => undefined,
    (failure: unknown) => failure,
  );
  return graphReason(error, uri, isNamed);
}

async function withServer<T>(server: Server, work: (port: number) => Promise<T>): Promise<T> {
  const sockets = new Set<{ destroy(): unknown }>();
  server.on('connection', (socket) => void sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await work((server.address() as AddressInfo).port);
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}

describe('why a Neo4j server cannot be used', () => {
  test.each(['bolt', 'neo4j'])('by %s: nobody listens there', async (scheme) => {
    const host = `127.0.0.1:${await freePort()}`;
    expect(await reasonAt(`${scheme}://${host}`)).toBe(
      `${host} cannot be reached: the connection was refused; check graphdb.uri`,
    );
  });

  test.each(['bolt', 'neo4j'])(
    'by %s: there is no such host, or no names can be looked up',
    async (scheme) => {
      expect(await reasonAt(`${scheme}://nowhere.invalid:7687`)).toMatch(
        /^nowhere\.invalid:7687 cannot be reached: (there is no such host|its name cannot be looked up).*; check graphdb\.uri$/,
      );
    },
  );

  test('a web server is there', async () => {
    const server = createServer((_request, response) => response.end('hello'));
    await withServer(server, async (port) => {
      expect(await reasonAt(`bolt://127.0.0.1:${port}`)).toMatch(/web server.*7687; check graphdb\.uri$/);
      expect(await reasonAt(`bolt+s://127.0.0.1:${port}`)).toMatch(/ TLS .*; check graphdb\.uri$/);
    });
  });

  test('whoever is there does not answer', async () => {
    await withServer(createTcpServer(), async (port) => {
      expect(await reasonAt(`bolt://127.0.0.1:${port}`)).toBe(
        `127.0.0.1:${port} cannot be reached: it did not answer in time; check graphdb.uri`,
      );
    });
  });

  test('the setting is named where the address is that of the environment, and credentials never', async () => {
    const port = await freePort();
    const reason = await reasonAt(`bolt://127.0.0.1:${port}`, false);
    expect(reason).toMatch(/; check graphdb\.uri, or NEO4J_URI$/);
    expect(reason).not.toMatch(new RegExp(`${PASSWORD}|somebody`));
  });

  test('what says more by itself is told as it is', () => {
    const refused = new HoldfastError('CONFIGURATION', 'Neo4j refuses the password: check NEO4J_PASSWORD');
    expect(graphReason(refused, 'bolt://localhost:7687', true)).toContain('check graphdb.password');
    const busy = new HoldfastError('STORE_UNAVAILABLE', 'The data store is busy');
    expect(graphReason(busy, 'bolt://localhost:7687', true)).toBe('The data store is busy');
  });
});
