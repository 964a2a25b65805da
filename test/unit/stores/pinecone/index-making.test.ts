import type { VectorIndex } from '../../../../src/stores/memory/vector-index';
import { deploymentOf } from '../../../../src/stores/pinecone/deployment';
import type { PineconeIndexOptions } from '../../../../src/stores/pinecone/pinecone-index';
import { entry, unit } from '../../../contract/support/vector-index-harness';
import { INDEX_NAME, pineconeIndexAt } from '../../../support/pinecone-index';
import { type PineconeServer, startPineconeServer } from '../../../support/pinecone-server/server';

describe('the index in Pinecone', () => {
  let server: PineconeServer;
  const indexes: VectorIndex[] = [];

  const open = (given?: Partial<PineconeIndexOptions>): VectorIndex => {
    const index = pineconeIndexAt(server, given);
    indexes.push(index);
    return index;
  };

  beforeEach(async () => {
    server = await startPineconeServer();
  });

  afterEach(async () => {
    for (const index of indexes.splice(0)) await index.close();
    await server.close();
  });

  it('is made by the first call where it does not exist, in the region named', async () => {
    server.initializingFor(1);
    const index = open({ environment: 'europe-west4-gcp', dimensions: 5 });
    expect(server.requests).toEqual([]);
    await index.upsert(1, [entry('a', { values: unit(1, 2, 3, 4, 5) })]);
    expect(server.index(INDEX_NAME)).toMatchObject({
      dimension: 5,
      metric: 'cosine',
      cloud: 'gcp',
      region: 'europe-west4',
    });
    expect(await index.visible(1, 'ann', { a: 1 })).toEqual(new Set(['a']));
  });

  it('is taken as it is where it exists, and looked up once', async () => {
    await server.addIndex({ name: INDEX_NAME });
    const index = open();
    await index.ping();
    await index.ping();
    expect(server.count('POST /indexes')).toBe(0);
    expect(server.count(`GET /indexes/${INDEX_NAME}`)).toBe(1);
    expect(server.count('GET /namespaces')).toBe(2);
  });

  it('is made once by many first calls, and by several processes', async () => {
    const processes = [open(), open(), open()];
    await Promise.all(processes.flatMap((index) => [index.ping(), index.ping(), index.ping()]));
    expect(server.count('POST /indexes')).toBeLessThanOrEqual(3);
    expect(server.count('GET /namespaces')).toBe(9);
  });

  it('is found where the answer to its making was lost', async () => {
    server.script(
      (request, response, serve) => serve(request, response),
      async (_request, response) => {
        await server.addIndex({ name: INDEX_NAME });
        response.destroy();
      },
    );
    await expect(open().ping()).resolves.toBeUndefined();
    expect(server.count('POST /indexes')).toBe(2);
  });

  it('is refused where it has other dimensions; both numbers are told, at every call', async () => {
    await server.addIndex({ name: INDEX_NAME, dimension: 384 });
    const index = open({ dimensions: 768 });
    for (const attempt of [1, 2]) {
      const failure = index.ping();
      await expect(failure).rejects.toMatchObject({ code: 'CONFIGURATION', retryable: false });
      await expect(failure).rejects.toThrow(/"memories".*384.*768/);
      expect(server.count('GET /namespaces')).toBe(0);
      expect(server.count(`GET /indexes/${INDEX_NAME}`)).toBe(attempt);
    }
  });

  it('is refused where it does not compare by cosine', async () => {
    await server.addIndex({ name: INDEX_NAME, metric: 'euclidean' });
    await expect(open().ping()).rejects.toMatchObject({
      code: 'CONFIGURATION',
      message: expect.stringContaining('euclidean') as string,
    });
  });

  it('that is still being made is told as that, and used once it is ready', async () => {
    server.initializingFor(50);
    const index = open({ timeoutMs: 700 });
    await expect(index.ping()).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      retryable: true,
      details: { service: 'vectordb', reason: expect.stringContaining('not ready (Initializing)') as string },
    });
    server.index(INDEX_NAME).describedAsInitializing = 0;
    await expect(index.ping()).resolves.toBeUndefined();
  });

  it('that was made anew at another address is found again', async () => {
    const index = open();
    await index.upsert(1, [entry('a')]);
    await server.deleteIndex(INDEX_NAME);
    await expect(index.ping()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', retryable: true });
    await index.upsert(1, [entry('b')]);
    expect(await index.visible(1, 'ann', { a: 1, b: 1 })).toEqual(new Set(['b']));
  });

  it('cannot be made where the region is unknown', async () => {
    await expect(open({ environment: 'gcp-starter' }).ping()).rejects.toMatchObject({
      code: 'CONFIGURATION',
      message: expect.stringContaining('gcp-starter') as string,
    });
  });

  it.each(['', 'Memories', '-memories', 'a'.repeat(46), 'memories_1'])('cannot be named %j', (indexName) => {
    expect(() => open({ indexName })).toThrow(expect.objectContaining({ code: 'CONFIGURATION' }));
  });

  it.each(['', 'pcsk_a b', 'pcsk_a\n', 'pcsk_ä'])(
    'has no key like %j, which the error keeps to itself',
    (apiKey) => {
      expect(() => open({ apiKey })).toThrow(/^The Pinecone API key has characters that no key has$/);
    },
  );
});

describe('an environment', () => {
  it.each([
    ['us-east-1', 'aws', 'us-east-1'],
    ['us-east-1-aws', 'aws', 'us-east-1'],
    ['ap-southeast-1', 'aws', 'ap-southeast-1'],
    ['us-central1', 'gcp', 'us-central1'],
    ['europe-west4', 'gcp', 'europe-west4'],
    ['us-west1-gcp', 'gcp', 'us-west1'],
    ['eastus2', 'azure', 'eastus2'],
    ['eastus-azure', 'azure', 'eastus'],
  ])('%s is %s %s', (environment, cloud, region) => {
    expect(deploymentOf(environment)).toEqual({ cloud, region });
  });

  it.each(['', 'gcp-starter', 'us east 1', 'US-EAST-1', 'us-east-1-ibm', 'https://x'])(
    '%j is none',
    (text) => {
      expect(() => deploymentOf(text)).toThrow(expect.objectContaining({ code: 'CONFIGURATION' }));
    },
  );
});
