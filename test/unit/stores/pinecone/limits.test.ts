import type { VectorIndex } from '../../../../src/stores/memory/vector-index';
import { toUpsertBatches } from '../../../../src/stores/pinecone/records';
import { entry, unit } from '../../../contract/support/vector-index-harness';
import { INDEX_NAME, namespaceOf, pineconeIndexAt } from '../../../support/pinecone-index';
import { type PineconeServer, startPineconeServer } from '../../../support/pinecone-server/server';

const DIMENSIONS = 768;

function vectorOf(seed: number): Float32Array {
  return unit(...Array.from({ length: DIMENSIONS }, (_, at) => Math.sin(seed * 7.3 + at * 1.7)));
}

describe("Pinecone's limits", () => {
  let server: PineconeServer;
  let index: VectorIndex;

  beforeEach(async () => {
    server = await startPineconeServer();
    index = pineconeIndexAt(server, { dimensions: DIMENSIONS });
  });

  afterEach(async () => {
    await index.close();
    await server.close();
  });

  const bodiesOf = (path: string): string[] =>
    server.requests.filter((request) => request.path === path).map(({ body }) => body);

  it('of size and number are kept by every request, in few of them', async () => {
    const entries = Array.from({ length: 1_000 }, (_, at) => entry(`id-${at}`, { values: vectorOf(at) }));
    await index.upsert(1, entries);
    const bodies = bodiesOf('/vectors/upsert');
    const bytes = bodies.map((body) => Buffer.byteLength(body));
    expect(Math.max(...bytes)).toBeLessThanOrEqual(2_000_000);
    const total = bytes.reduce((sum, size) => sum + size, 0);
    expect(bodies.length).toBeLessThanOrEqual(Math.ceil(total / 1_900_000));
    expect(server.index(INDEX_NAME).data.namespaces.get(namespaceOf(1, 'ann'))?.vectors.size).toBe(1_000);
  });

  it('of the number of records are kept where these are small', () => {
    const small = Array.from({ length: 2_001 }, (_, at) => entry(`id-${at}`));
    expect([...toUpsertBatches(small)].map((batch) => batch.length)).toEqual([1_000, 1_000, 1]);
    expect([...toUpsertBatches([])]).toEqual([]);
  });

  it('of an address and of an answer are kept by reads', async () => {
    const ids = Array.from(
      { length: 500 },
      (_, at) => `01ARZ3NDEKTSV4RRFFQ69G${String(at).padStart(4, '0')}`,
    );
    await index.upsert(
      1,
      ids.slice(0, 250).map((id, at) => entry(id, { values: vectorOf(at) })),
    );
    const shown = await index.visible(1, 'ann', Object.fromEntries(ids.map((id) => [id, 1])));
    expect(shown).toEqual(new Set(ids.slice(0, 250)));
    const fetches = server.requests.filter(({ path }) => path.startsWith('/vectors/fetch'));
    expect(fetches).toHaveLength(5);
    for (const { path } of fetches) expect(path.length).toBeLessThan(4_000);
  });

  it('of a search are kept, and it asks for nothing that it does not need', async () => {
    const vector = vectorOf(1);
    await index.search({ userId: 'ann', kind: 'semantic', spaceId: 1, vector, limit: 1_000_000 });
    const body = JSON.parse(bodiesOf('/query')[0] ?? '') as Record<string, unknown>;
    expect(body).toMatchObject({ topK: 10_000, namespace: namespaceOf(1, 'ann') });
    expect(body).not.toHaveProperty('includeValues');
    expect(body).not.toHaveProperty('filter');
  });

  it('of metadata are told by Pinecone, and no repeat would help', async () => {
    const labels = Array.from({ length: 50 }, (_, at) => String(at).padStart(1_000, 'x'));
    await expect(index.upsert(1, [entry('a', { labels, values: vectorOf(1) })])).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      retryable: false,
      details: { service: 'vectordb', reason: expect.stringContaining('Metadata size') as string },
    });
    expect(bodiesOf('/vectors/upsert')).toHaveLength(1);
  });

  it('do not cost a bit of a vector', async () => {
    const values = vectorOf(3);
    await index.upsert(1, [entry('a', { values })]);
    const stored = server.index(INDEX_NAME).data.namespaces.get(namespaceOf(1, 'ann'))?.vectors.get('a');
    expect(Float32Array.from(stored?.values ?? [])).toEqual(values);
  });

  it('of what is told: no request names the user', async () => {
    const userId = 'ann.smith@example.org';
    await index.upsert(1, [entry('a', { userId, values: vectorOf(1) })]);
    await index.visible(1, userId, { a: 1 });
    await index.search({ userId, kind: 'semantic', spaceId: 1, vector: vectorOf(1), limit: 5 });
    await index.remove(1, userId, ['a']);
    await index.removeUser(1, userId);
    const sent = decodeURIComponent(JSON.stringify(server.requests.map(({ path, body }) => [path, body])));
    expect(sent).toContain(namespaceOf(1, userId));
    expect(sent).not.toContain('smith');
  });
});
