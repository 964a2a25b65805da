import { Errors, type Index, Pinecone } from '@pinecone-database/pinecone';
import { API_KEY, type PineconeServer, startPineconeServer } from '../../../support/pinecone-server/server';

/** Checks what the other suites rely on, by the official client and by plain HTTP. */
describe('the stub of Pinecone', () => {
  let server: PineconeServer;
  let host: string;
  let index: Index;

  const client = (apiKey = API_KEY): Pinecone =>
    new Pinecone({ apiKey, controllerHostUrl: server.url, maxRetries: 0 });

  beforeEach(async () => {
    server = await startPineconeServer();
    ({ host } = await server.addIndex({ name: 'cars', dimension: 2 }));
    index = client().index({ host, namespace: 'n' });
  });

  afterEach(() => server.close());

  const records = (count: number, prefix = 'id') =>
    Array.from({ length: count }, (_, at) => ({
      id: `${prefix}-${String(at).padStart(4, '0')}`,
      values: [1, at],
    }));
  const refused = (words: string | RegExp): object =>
    expect.objectContaining({ message: expect.stringMatching(words) as string }) as object;

  it('makes, describes and lists indexes, each name once', async () => {
    server.initializingFor(1);
    const wanted = {
      name: 'bikes',
      schema: { fields: { _values: { type: 'dense_vector', dimension: 7, metric: 'cosine' } } },
      deployment: { deploymentType: 'managed', cloud: 'gcp', region: 'us-central1' },
    } as const;
    const made = await client().indexes.create(wanted);
    expect(made.status).toEqual({ ready: false, state: 'Initializing' });
    const { status, schema, deployment } = await client().indexes.describe('bikes');
    expect({ status, schema, deployment }).toMatchObject({
      status: { ready: true, state: 'Ready' },
      schema: wanted.schema,
      deployment: wanted.deployment,
    });
    expect((await client().indexes.list()).indexes?.map(({ name }) => name)).toEqual(['cars', 'bikes']);
    await expect(client().indexes.create(wanted)).rejects.toThrow(Errors.PineconeConflictError);
    await expect(client().indexes.describe('boats')).rejects.toThrow(Errors.PineconeNotFoundError);
    await expect(client().indexes.create({ ...wanted, name: 'Boats' })).rejects.toThrow(
      Errors.PineconeBadRequestError,
    );
  });

  it('wants the key on both planes', async () => {
    const stranger = client('pcsk_other');
    await expect(stranger.indexes.list()).rejects.toThrow(Errors.PineconeAuthorizationError);
    await expect(stranger.index({ host }).query({ vector: [1, 0], topK: 1 })).rejects.toThrow(
      Errors.PineconeAuthorizationError,
    );
  });

  it('keeps the limits of an upsert', async () => {
    await index.upsert({ records: records(1_000) });
    await expect(index.upsert({ records: records(1_001) })).rejects.toEqual(refused('from 1 to 1000'));
    const wide = { id: 'a', values: [1, 0], metadata: { text: 'x'.repeat(39_000) } };
    const wides = Array.from({ length: 60 }, (_, at) => ({ ...wide, id: `w${at}` }));
    await expect(index.upsert({ records: wides })).rejects.toEqual(refused('length too large'));
    const metadata = { text: 'x'.repeat(41_000) };
    await expect(index.upsert({ records: [{ ...wide, metadata }] })).rejects.toEqual(
      refused('Metadata size'),
    );
    await expect(index.upsert({ records: [{ ...wide, id: 'x'.repeat(513) }] })).rejects.toEqual(
      refused('512'),
    );
    await expect(index.upsert({ records: [{ id: 'a', values: [1, 2, 3] }] })).rejects.toEqual(
      refused('dimension 3 does not match the dimension of the index 2'),
    );
    await expect(index.upsert({ records: [{ id: 'a', values: [0, 0] }] })).rejects.toEqual(
      refused('non-zero'),
    );
    expect((await index.describeIndexStats()).totalRecordCount).toBe(1_000);
  });

  it('keeps the limits of reads and deletions', async () => {
    await index.upsert({ records: records(1) });
    await expect(index.query({ vector: [1, 0], topK: 10_001 })).rejects.toEqual(refused('1 and 10000'));
    await expect(index.query({ vector: [1], topK: 1 })).rejects.toEqual(refused('dimension 1'));
    const ids = records(1_001).map(({ id }) => id);
    await expect(index.deleteMany({ ids })).rejects.toEqual(refused('from 1 to 1000'));
    await expect(index.deleteMany({ ids: ids.slice(0, 1_000) })).resolves.toBeUndefined();
  });

  it('does not know a namespace that was never written to, or was deleted, when something is deleted', async () => {
    const missing = Errors.PineconeNotFoundError;
    await expect(index.deleteAll()).rejects.toThrow(missing);
    await expect(index.deleteMany({ ids: ['a'] })).rejects.toThrow(missing);
    await expect(index.deleteNamespace('n')).rejects.toThrow(missing);
    expect((await index.query({ vector: [1, 0], topK: 3 })).matches).toEqual([]);
    await index.upsert({ records: records(3) });
    await index.deleteMany({ ids: ['id-0001'] });
    expect((await index.query({ vector: [1, 0], topK: 3 })).matches).toHaveLength(2);
    await index.deleteAll();
    expect((await index.query({ vector: [1, 0], topK: 3 })).matches).toEqual([]);
    await index.deleteNamespace('n');
    await expect(index.deleteNamespace('n')).rejects.toThrow(missing);
  });

  it('lists ids by prefix and namespaces, page by page', async () => {
    await index.upsert({ records: [...records(3, 'a'), ...records(2, 'b')] });
    await index.upsert({ records: records(1), namespace: 'm' });
    const first = await index.listPaginated({ prefix: 'a-', limit: 2 });
    expect(first.vectors).toEqual([{ id: 'a-0000' }, { id: 'a-0001' }]);
    const second = await index.listPaginated({
      prefix: 'a-',
      limit: 2,
      paginationToken: first.pagination?.next ?? '',
    });
    expect([second.vectors, second.pagination]).toEqual([[{ id: 'a-0002' }], undefined]);
    const page = await index.listNamespaces({ limit: 1 });
    expect(page.namespaces).toEqual([expect.objectContaining({ name: 'm', recordCount: '1' })]);
    const rest = await index.listNamespaces({ paginationToken: page.pagination?.next ?? '' });
    expect(rest.namespaces).toEqual([expect.objectContaining({ name: 'n', recordCount: '5' })]);
  });

  it('updates values and metadata, and deletes by filter', async () => {
    await index.upsert({ records: [{ id: 'a', values: [1, 0], metadata: { kind: 'x', size: 1 } }] });
    await index.update({ id: 'a', values: [0, 1], metadata: { size: 2 } });
    expect((await index.fetch({ ids: ['a', 'b'] })).records).toEqual({
      a: { id: 'a', values: [0, 1], metadata: { kind: 'x', size: 2 } },
    });
    await index.deleteMany({ filter: { size: { $gt: 2 } } });
    expect(Object.keys((await index.fetch({ ids: ['a'] })).records)).toEqual(['a']);
    await index.deleteMany({ filter: { size: { $gt: 1 } } });
    expect((await index.fetch({ ids: ['a'] })).records).toEqual({});
  });

  it.each<[object, string]>([
    [{ genre: 'drama' }, 'd'],
    [{ genre: { $eq: 'drama' } }, 'd'],
    [{ genre: { $ne: 'drama' } }, 'c l n'],
    [{ genre: { $in: ['drama', 'comedy'] } }, 'c d l'],
    [{ genre: { $nin: ['drama', 'comedy'] } }, 'n'],
    [{ year: { $gt: 2000 } }, 'd l'],
    [{ year: { $gte: 2000, $lt: 2020 } }, 'c d'],
    [{ year: { $lte: 2000 } }, 'c'],
    [{ genre: 'comedy', year: { $gt: 2000 } }, 'l'],
    [{ $and: [{ genre: 'comedy' }, { year: { $gt: 2000 } }] }, 'l'],
    [{ $or: [{ genre: 'drama' }, { year: 2000 }] }, 'c d'],
  ])('understands the filter %j', async (filter, ids) => {
    await index.upsert({
      records: [
        { id: 'c', values: [1, 0], metadata: { genre: 'comedy', year: 2000 } },
        { id: 'd', values: [1, 0], metadata: { genre: 'drama', year: 2010 } },
        { id: 'l', values: [1, 0], metadata: { genre: ['comedy', 'crime'], year: 2020 } },
        { id: 'n', values: [1, 0], metadata: { other: true } },
      ],
    });
    const { matches } = await index.query({ vector: [1, 0], topK: 10, filter });
    expect(
      matches
        .map(({ id }) => id)
        .sort()
        .join(' '),
    ).toBe(ids);
  });

  it.each([
    { $not: [{ a: 1 }] },
    { a: { $like: 'x' } },
    { a: { $in: [] } },
    { a: { $gt: 'x' } },
    { $and: [] },
  ])('refuses the filter %j', async (filter) => {
    await index.upsert({ records: [{ id: 'a', values: [1, 0], metadata: { a: 1 } }] });
    await expect(index.query({ vector: [1, 0], topK: 1, filter })).rejects.toThrow(
      Errors.PineconeBadRequestError,
    );
  });

  it('numbers the writes of a namespace, and tells reads which of them they see', async () => {
    const post = async (path: string, body: object): Promise<Headers> => {
      const headers = { 'api-key': API_KEY, 'content-type': 'application/json' };
      const response = await fetch(`${host}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      expect(response.status).toBe(200);
      return response.headers;
    };
    const write = async (namespace: string): Promise<string | null> =>
      (await post('/vectors/upsert', { vectors: records(1), namespace })).get('x-pinecone-request-lsn');
    const seen = async (): Promise<string | null> =>
      (await post('/query', { vector: [1, 0], topK: 1, namespace: 'n' })).get('x-pinecone-max-indexed-lsn');
    expect(await write('n')).toBe('1');
    server.hold();
    expect([await write('n'), await write('other'), await seen()]).toEqual(['2', '1', '1']);
    server.release();
    expect(await seen()).toBe('2');
  });
});
