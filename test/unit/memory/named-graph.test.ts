import dns from 'node:dns';
import dnsPromises from 'node:dns/promises';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { loadConfig } from '../../../src/settings/config';
import { createMemorySystem, type MemorySystem } from '../../../src/memory/create-memory-system';
import { createSecretBox } from '../../../src/secrets/secret-box';
import { createDocumentStore } from '../../../src/factories/create-stores';
import { memoryBackends } from '../../../src/factories/memory-backends';
import { createStoreRecords } from '../../../src/memory/stores/record';
import { checkNeo4jServer } from '../../../src/stores/neo4j/check-server';
import { Neo4jConnection } from '../../../src/stores/neo4j/connection';
import type { Neo4jSettings } from '../../../src/stores/neo4j/settings';
import { startBoltServer, type BoltServer, type BoltServerOptions } from '../../support/bolt-server';
import { secretsOf } from '../../support/secrets';
import { makeTempDir } from '../../support/temp-dir';
import { TLS } from '../../support/tls-files';
import { rejection, useCleanup } from '../egress/cleanup';

const release = useCleanup();
afterEach(() => jest.restoreAllMocks());

async function serve(options: BoltServerOptions = {}): Promise<BoltServer> {
  const server = await startBoltServer(options);
  release(() => server.close());
  return server;
}

/** The store as an initialization names it. */
function named(uri: string, allowPrivate = true): Neo4jSettings {
  return { uri, username: 'neo4j', password: 'p', egress: { allowPrivate, names: 'system' } };
}

/**
 * The addresses that the policy resolves for every name, in order; the last one repeats. `forDriver` has those that
 * the driver itself would resolve.
 */
function names(answers: readonly string[][], forDriver = '127.0.0.1') {
  const left = [...answers];
  const judged = jest.spyOn(dnsPromises, 'lookup').mockImplementation((() => {
    const addresses = (left.length > 1 ? left.shift() : left[0]) ?? [];
    return Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
  }) as never);
  const own = jest.spyOn(dns, 'lookup').mockImplementation(((_: string, options: object, done: Done) => {
    if ('all' in options && options.all === true) done(null, [{ address: forDriver, family: 4 }]);
    else done(null, forDriver, 4);
  }) as never);
  return { judged, own };
}
type Done = (error: null, address: unknown, family?: number) => void;

/** Runs one transaction on a new connection. */
async function ask(connection: Neo4jConnection): Promise<unknown> {
  return connection.transact(async ({ run }) => ({ commit: false, value: await run('RETURN 1') }));
}

function open(settings: Neo4jSettings): Neo4jConnection {
  const connection = new Neo4jConnection(settings);
  release(() => connection.close());
  return connection;
}

describe('a graph at an address that a caller named', () => {
  test('is asked itself, and not where its routing table says', async () => {
    const elsewhere = await serve();
    const server = await serve({ routesTo: `127.0.0.1:${elsewhere.port}` });
    await checkNeo4jServer(named(`neo4j://127.0.0.1:${server.port}`));
    expect(elsewhere.connections).toBe(0);
    expect(server.connections).toBe(1);
  });

  test('is followed to other members where the operator configured it', async () => {
    const elsewhere = await serve();
    const server = await serve({ routesTo: `127.0.0.1:${elsewhere.port}` });
    const { egress: _, ...configured } = named(`neo4j://127.0.0.1:${server.port}`);
    await checkNeo4jServer(configured);
    expect(elsewhere.connections).toBe(1);
  });

  test('is connected to at the very address that was judged', async () => {
    const server = await serve();
    const other = await serve({ address: '127.0.0.2', port: server.port });
    const { judged, own } = names([['127.0.0.1']], '127.0.0.2');
    await ask(open(named(`bolt://rebinding.test:${server.port}`)));
    expect([server.connections, other.connections]).toEqual([1, 0]);
    expect(judged).toHaveBeenCalledTimes(1);
    expect(own).not.toHaveBeenCalled();
  });

  test('is judged again for every new connection', async () => {
    const server = await serve();
    names([['127.0.0.1'], ['169.254.169.254']]);
    const connection = open(named(`bolt://rebinding.test:${server.port}`));
    await ask(connection);
    server.cut();
    const error = await rejection(ask(connection).then(() => ask(connection)));
    expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE' });
    const second = await rejection(ask(connection));
    expect(second.message).toMatch(/rebinding\.test resolves to a cloud metadata address/);
    expect(second.message).not.toContain('169.254');
    expect(server.connections).toBe(1);
  });

  test('is refused at a private address where that is not allowed', async () => {
    const server = await serve();
    for (const host of ['127.0.0.1', '0x7f.1', 'localhost', '[::ffff:127.0.0.1]']) {
      const error = await rejection(ask(open(named(`neo4j://${host}:${server.port}`, false))));
      expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE' });
      expect(error.message).toMatch(/loopback address, and this server is not set to allow/);
    }
    expect(server.connections).toBe(0);
  });

  test('is tried at all of its addresses, each of them judged', async () => {
    const server = await serve();
    names([['127.0.0.3', '127.0.0.1']]);
    await ask(open(named(`bolt://two.test:${server.port}`)));
    expect(server.connections).toBe(1);
  });

  test('a name without addresses is no such host', async () => {
    jest
      .spyOn(dnsPromises, 'lookup')
      .mockRejectedValue(Object.assign(new Error('gone'), { code: 'ENOTFOUND' }));
    const error = await rejection(ask(open(named('bolt://nowhere.test'))));
    expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE', message: 'The data store cannot be reached' });
  });

  test.each(['neo4j+ssc', 'bolt+ssc'])(
    '%s asks for the name by TLS, at the judged address',
    async (scheme) => {
      const server = await serve({ tls: TLS });
      const { own } = names([['127.0.0.1']]);
      await ask(open(named(`${scheme}://db.example.test:${server.port}`)));
      expect(server.names).toEqual(['db.example.test']);
      expect(own).not.toHaveBeenCalled();
    },
  );

  test.each(['neo4j+s', 'bolt+s'])('%s wants a certificate that can be trusted', async (scheme) => {
    const server = await serve({ tls: TLS });
    names([['127.0.0.1']]);
    const error = await rejection(ask(open(named(`${scheme}://db.example.test:${server.port}`))));
    expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(server.names).toContain('db.example.test');
  });

  test('a routing context is left out, as there is no routing', async () => {
    const server = await serve();
    await ask(open(named(`neo4j://127.0.0.1:${server.port}/?policy=europe`)));
    expect(server.connections).toBe(1);
  });
});

describe('the permission for private addresses', () => {
  const key = randomBytes(32);

  /** Opens the service of a process on the data folder. */
  function start(
    dataDir: string,
    kind: 'worker' | 'part',
    environment: Record<string, string> = {},
  ): MemorySystem {
    const config = loadConfig(
      { DATA_DIR: dataDir, MEMORY_EMBEDDING_PROVIDER: 'lexical', ...environment },
      kind,
    );
    const documents = createDocumentStore({ path: join(dataDir, 'holdfast.db') });
    const quiet = () => undefined;
    const system = createMemorySystem({
      config,
      backends: memoryBackends,
      documents,
      ...secretsOf(key),
      logger: { info: quiet, warn: quiet } as never,
    });
    release(async () => {
      await system.close();
      await documents.close();
    });
    return system;
  }

  test('goes from the API that took the address to the workers, and not to another API', async () => {
    const dir = makeTempDir();
    release(() => Promise.resolve(dir.remove()));
    // The server answers but cannot be prepared as Neo4j, so stores that the policy allows fail later.
    const server = await serve();
    const documents = createDocumentStore({ path: join(dir.path, 'holdfast.db') });
    release(() => documents.close());
    const record = (allowPrivate: boolean, version: number): Promise<boolean> =>
      createStoreRecords({ documents, secrets: createSecretBox(key), toFormer: () => [] }).write({
        version,
        initializations: [
          {
            area: 'agent',
            at: new Date(0).toISOString(),
            settings: { graphdb: { uri: `bolt://127.0.0.1:${server.port}`, password: 'p', allowPrivate } },
          },
        ],
        former: [],
      });
    const reach = async (system: MemorySystem): Promise<string> => {
      const error = await rejection(system.openStores().then(({ graph }) => graph.ping()));
      return /this server is not set to allow/.test(error.message) ? 'refused' : 'asked';
    };
    expect(await record(true, 0)).toBe(true);
    expect(await reach(start(dir.path, 'worker'))).toBe('asked');
    expect(await reach(start(dir.path, 'worker', { EGRESS_ALLOW_PRIVATE: 'false' }))).toBe('refused');
    expect(await reach(start(dir.path, 'part'))).toBe('refused');
    expect(await reach(start(dir.path, 'part', { EGRESS_ALLOW_PRIVATE: 'true' }))).toBe('asked');
    expect(await record(false, 1)).toBe(true);
    expect(await reach(start(dir.path, 'worker'))).toBe('refused');
    expect(await reach(start(dir.path, 'worker', { EGRESS_ALLOW_PRIVATE: 'true' }))).toBe('refused');
  });
});
