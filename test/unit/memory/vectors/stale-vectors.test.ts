import {
  createStaleVectorCleaner,
  type StaleVectorCleaner,
} from '../../../../src/memory/vectors/stale-vectors';
import { createDocumentStore } from '../../../../src/factories/create-stores';
import type { DocumentStore } from '../../../../src/stores/documents';
import type { MemoryKind } from '../../../../src/stores/memory/node';
import type { VectorIndex } from '../../../../src/stores/memory/vector-index';
import { entry } from '../../../contract/support/vector-index-harness';
import { temporaryFolder } from '../../../contract/support/temporary-folder';
import { INDEX_NAME, namespaceOf, pineconeIndexAt } from '../../../support/pinecone-index';
import { drops, serves } from '../../../support/pinecone-server/behaviours';
import { type PineconeServer, startPineconeServer } from '../../../support/pinecone-server/server';

const USERS: Readonly<Record<MemoryKind, readonly string[]>> = {
  episodic: ['ann', 'bob'],
  semantic: ['bob', 'cay', 'dee'],
};
const EVERYBODY = ['ann', 'bob', 'cay', 'dee'];

describe('vectors of former models', () => {
  const folder = temporaryFolder();
  let server: PineconeServer;
  let index: VectorIndex;
  let documents: DocumentStore;
  let currentId: number;

  beforeEach(async () => {
    server = await startPineconeServer();
    index = pineconeIndexAt(server, {
      dimensionsOf: (spaceId) => Promise.resolve(spaceId >= currentId ? 3 : undefined),
    });
    documents = createDocumentStore({ path: folder.file('documents.db') });
    for (currentId = 1; currentId <= 3; currentId += 1) {
      await index.upsert(
        currentId,
        EVERYBODY.map((userId) => entry('a', { userId })),
      );
    }
    await index.upsert(1, [entry('a', { userId: 'somebody of another service' })]);
    currentId = 3;
  });
  afterEach(async () => {
    await index.close();
    await server.close();
    await documents.close();
    folder.remove();
  });

  const open = (limit = 2): StaleVectorCleaner =>
    createStaleVectorCleaner({
      place: 'here',
      documents,
      index,
      limit,
      graph: {
        vectorSpaces: () => {
          const space = { id: currentId, model: 'test/three', dimensions: 3 };
          return Promise.resolve({ current: space, next: { ...space, id: currentId + 1 } });
        },
        listUsers: (kind, { after = '', limit: most }) =>
          Promise.resolve(USERS[kind].filter((user) => user > after).slice(0, most)),
      },
    });
  const left = (spaceId: number): string[] =>
    EVERYBODY.filter((userId) => {
      const namespace = server.index(INDEX_NAME).data.namespaces.get(namespaceOf(spaceId, userId));
      return (namespace?.vectors.size ?? 0) > 0;
    });
  const rounds = async (former: StaleVectorCleaner, count: number): Promise<number[]> => {
    const removed: number[] = [];
    for (let n = 0; n < count; n += 1) removed.push(await former.round());
    return removed;
  };

  it('are taken away space by space, some users a round, and those of the current one stay', async () => {
    expect(await rounds(open(), 9)).toEqual([4, 1, 0, 4, 1, 0, 0, 0, 0]);
    expect([left(1), left(2), left(3)]).toEqual([[], [], EVERYBODY]);
    const others = namespaceOf(1, 'somebody of another service');
    expect(server.index(INDEX_NAME).data.namespaces.get(others)?.vectors.size).toBe(1);
  });

  it('are not asked for again, by any process, once they are gone', async () => {
    await rounds(open(10), 4);
    const before = server.requests.length;
    expect(await rounds(open(10), 3)).toEqual([0, 0, 0]);
    expect(server.requests.length).toBe(before);
    currentId = 4;
    expect(await rounds(open(10), 2)).toEqual([5, 0]);
    expect(left(3)).toEqual([]);
  });

  it('are taken away after a failure, by another process too', async () => {
    const first = open();
    await first.round();
    server.otherwise(drops());
    await expect(first.round()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    server.otherwise(serves());
    await rounds(open(), 6);
    expect([left(1), left(2), left(3)]).toEqual([[], [], EVERYBODY]);
    expect(await first.round()).toBe(0);
  });

  it('end with their caller', async () => {
    const reason = new Error('shutting down');
    await expect(open().round(AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(left(1)).toEqual(EVERYBODY);
  });
});
