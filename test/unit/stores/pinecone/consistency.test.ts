import { entry, unit } from '../../../contract/support/vector-index-harness';
import type { VectorIndex } from '../../../../src/stores/memory/vector-index';
import { INDEX_NAME, namespaceOf, pineconeIndexAt } from '../../../support/pinecone-index';
import { type PineconeServer, startPineconeServer } from '../../../support/pinecone-server/server';

const QUERY = { userId: 'ann', kind: 'semantic', spaceId: 1, vector: unit(1, 0, 0), limit: 5 } as const;

describe('a Pinecone that shows writes late', () => {
  let server: PineconeServer;
  let index: VectorIndex;

  beforeEach(async () => {
    server = await startPineconeServer();
    index = pineconeIndexAt(server);
  });

  afterEach(async () => {
    await index.close();
    await server.close();
  });

  const ids = async (): Promise<string[]> => (await index.search(QUERY)).map(({ id }) => id);

  it('has a put neither found nor called visible before it is indexed', async () => {
    server.hold();
    await index.upsert(1, [entry('a')]);
    expect(await ids()).toEqual([]);
    expect(await index.visible(1, 'ann', { a: 1 })).toEqual(new Set());
    server.release();
    expect(await ids()).toEqual(['a']);
    expect(await index.visible(1, 'ann', { a: 1 })).toEqual(new Set(['a']));
  });

  it('has the former revision visible until the later one is indexed', async () => {
    await index.upsert(1, [entry('a')]);
    server.hold();
    await index.upsert(1, [entry('a', { revision: 2 })]);
    expect(await index.visible(1, 'ann', { a: 1 })).toEqual(new Set(['a']));
    expect(await index.visible(1, 'ann', { a: 2 })).toEqual(new Set());
    server.release();
    expect(await index.visible(1, 'ann', { a: 2 })).toEqual(new Set(['a']));
  });

  it('still finds what was removed a moment ago, and then never again', async () => {
    await index.upsert(1, [entry('a'), entry('b')]);
    server.hold();
    await index.remove(1, 'ann', ['a']);
    expect(await ids()).toEqual(['a', 'b']);
    await index.removeUser(1, 'ann');
    expect(await ids()).toEqual(['a', 'b']);
    server.release();
    expect(await ids()).toEqual([]);
  });

  it('indexes in the order of the writes, of which a part may be seen', async () => {
    server.hold();
    await index.upsert(1, [entry('a')]);
    await index.remove(1, 'ann', ['a']);
    await index.upsert(1, [entry('b')]);
    const namespace = server.index(INDEX_NAME).data.namespaces.get(namespaceOf(1, 'ann'));
    const seen: string[][] = [];
    for (const lsn of [1, 2, 3]) {
      namespace?.index(lsn);
      seen.push(await ids());
    }
    expect(seen).toEqual([['a'], [], ['b']]);
  });
});
