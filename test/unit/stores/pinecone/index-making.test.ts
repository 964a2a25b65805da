import type { VectorIndex } from '../../../../src/stores/memory/vector-index';
import type { PineconeIndexOptions } from '../../../../src/stores/pinecone/pinecone-index';
import { entry, unit } from '../../../contract/support/vector-index-harness';
import { INDEX_NAME, namespaceOf, pineconeIndexAt } from '../../../support/pinecone-index';
import { type PineconeServer, startPineconeServer } from '../../../support/pinecone-server/server';
import { parseDeployment } from '../../../../src/stores/pinecone/find-index';

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
    expect(server.count('GET /indexes')).toBe(1);
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

  it('is another one, with its dimensions in the name, where the first has others; each is looked up once', async () => {
    const index = open({ dimensionsOf: (spaceId) => Promise.resolve(spaceId === 1 ? 3 : 5) });
    const three = entry('a');
    const five = entry('a', { values: unit(1, 2, 3, 4, 5), revision: 2 });
    await index.upsert(1, [three]);
    await index.upsert(2, [five]);
    expect(server.index(INDEX_NAME)).toMatchObject({ dimension: 3, metric: 'cosine' });
    expect(server.index(`${INDEX_NAME}-5`)).toMatchObject({ dimension: 5, metric: 'cosine' });

    for (const [spaceId, vector] of [
      [1, three.values],
      [2, five.values],
    ] as const) {
      const query = { userId: 'ann', kind: 'semantic', spaceId, vector, limit: 5 } as const;
      expect(await index.search(query)).toEqual([{ id: 'a', score: expect.closeTo(1, 5) }]);
      expect(await index.visible(spaceId, 'ann', { a: spaceId })).toEqual(new Set(['a']));
    }
    expect(server.count('GET /indexes')).toBe(2);
    expect(server.count('POST /indexes')).toBe(2);
    await index.remove(2, 'ann', ['a']);
    expect(await index.visible(2, 'ann', { a: 2 })).toEqual(new Set());
    expect(await index.visible(1, 'ann', { a: 1 })).toEqual(new Set(['a']));
  });

  it('is made beside the first by several processes at once, whoever makes that', async () => {
    const processes = [open(), open({ dimensions: 5 }), open(), open({ dimensions: 5 })];
    await Promise.all(processes.map((index) => index.ping()));
    const [name, sibling] =
      server.index(INDEX_NAME).dimension === 3
        ? [INDEX_NAME, `${INDEX_NAME}-5`]
        : [`${INDEX_NAME}-3`, INDEX_NAME];
    expect([server.index(name).dimension, server.index(sibling).dimension]).toEqual([3, 5]);
  });

  it('with its dimensions in the name is still the one when the first was taken away', async () => {
    await server.addIndex({ name: INDEX_NAME, dimension: 5 });
    await open().upsert(1, [entry('a')]);
    await server.deleteIndex(INDEX_NAME);
    expect(await open().visible(1, 'ann', { a: 1 })).toEqual(new Set(['a']));
    expect(() => server.index(INDEX_NAME)).toThrow();
  });

  it('may be any of them where nobody knows the length of the vectors any more', async () => {
    const index = open({ dimensionsOf: () => Promise.resolve(undefined) });
    for (const [spaceId, values] of [
      [1, unit(1, 0, 0)],
      [2, unit(1, 2, 3, 4, 5)],
    ] as const) {
      await index.upsert(spaceId, [entry('a', { values }), entry('b', { values })]);
    }
    await server.addIndex({ name: `${INDEX_NAME}-of-others` });
    await index.remove(2, 'ann', ['a']);
    await index.removeUser(1, 'ann');
    const idsIn = (name: string, spaceId: number) => [
      ...(server.index(name).data.namespaces.get(namespaceOf(spaceId, 'ann'))?.vectors.keys() ?? []),
    ];
    expect(idsIn(INDEX_NAME, 1)).toEqual([]);
    expect(idsIn(`${INDEX_NAME}-5`, 2)).toEqual(['b']);
    expect(await index.visible(1, 'ann', { a: 1 })).toEqual(new Set());
  });

  it('is refused where one with its dimensions in the name has others, at every call', async () => {
    await server.addIndex({ name: `${INDEX_NAME}-768`, dimension: 384 });
    const index = open({ dimensions: 768 });
    for (const attempt of [1, 2]) {
      const failure = index.ping();
      await expect(failure).rejects.toMatchObject({ code: 'CONFIGURATION', retryable: false });
      await expect(failure).rejects.toThrow(/"memories-768".*384.*768/);
      expect(server.count('GET /namespaces')).toBe(0);
      expect(server.count('GET /indexes')).toBe(attempt);
    }
  });

  it('cannot be made beside one whose name leaves no room', async () => {
    const indexName = 'a'.repeat(43);
    await server.addIndex({ name: indexName });
    await expect(open({ indexName, dimensions: 384 }).ping()).rejects.toMatchObject({
      code: 'CONFIGURATION',
      message: expect.stringMatching(/a-384".*PINECONE_INDEX/) as string,
    });
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
      expect(() => open({ apiKey })).toThrow(/^The Pinecone API key contains invalid characters$/);
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
    expect(parseDeployment(environment)).toEqual({ cloud, region });
  });

  it.each(['', 'gcp-starter', 'us east 1', 'US-EAST-1', 'us-east-1-ibm', 'https://x'])(
    '%j is none',
    (text) => {
      expect(() => parseDeployment(text)).toThrow(expect.objectContaining({ code: 'CONFIGURATION' }));
    },
  );
});
