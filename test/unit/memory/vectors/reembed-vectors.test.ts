import { createLexicalEmbedder } from '../../../../src/embeddings/lexical/lexical-embedder';
import { createReembedVectors, type ReembedVectors } from '../../../../src/memory/vectors/reembed-vectors';
import { createOpenSpaces, nameOf } from '../../../../src/memory/vectors/vector-spaces';
import type { MemoryGraph } from '../../../../src/stores/memory/memory-graph';
import type { MemoryNode } from '../../../../src/stores/memory/node';
import type { VectorSpace } from '../../../../src/stores/memory/vector-spaces';
import { add, semantic } from '../../../contract/support/memories';
import { temporaryFolder } from '../../../contract/support/temporary-folder';
import { createMemoryGraph } from '../../../../src/factories/create-stores';

const lexical = createLexicalEmbedder(16);

describe('vectors made again', () => {
  const folder = temporaryFolder();
  let graph: MemoryGraph;
  let space: VectorSpace;
  let reembed: ReembedVectors;

  beforeEach(async () => {
    graph = createMemoryGraph({ DATA_DIR: folder.file('data'), neo4j: undefined, vectorsElsewhere: true });
    space = await graph.pinVectorSpace(nameOf(lexical.identity), 16);
    const spaces = createOpenSpaces(graph, {
      choose: () => Promise.resolve(lexical),
      find: () => lexical,
    });
    reembed = createReembedVectors({ graph, spaces });
  });
  afterEach(async () => {
    await graph.close();
    folder.remove();
  });

  async function addReleased(): Promise<MemoryNode> {
    const [values = new Float32Array()] = await lexical.embed(['something else']);
    const node = await add(graph, semantic({ text: 'by the sea' }), {
      vector: { spaceId: space.id, values },
    });
    expect(await graph.releaseVectors([{ id: node.id, spaceId: space.id, revision: 1 }])).toBe(1);
    return node;
  }

  it('are held by the graph, of the text as it is, and of no revision that an index may show', async () => {
    const node = await addReleased();
    expect(await reembed([{ id: node.id, spaceId: space.id }])).toBe(1);
    const [values] = await lexical.embed(['by the sea']);
    expect(await graph.listPendingVectors(5)).toEqual([
      { node: { ...node, revision: 2 }, vector: { spaceId: space.id, values } },
    ]);
  });

  it('are made from what a change at the same time made of the memory', async () => {
    const node = await addReleased();
    const [changed] = await Promise.all([
      graph.update(node.id, { weight: 0.9 }),
      reembed([{ id: node.id, spaceId: space.id }]),
    ]);
    expect(changed?.revision).toBeGreaterThan(1);
    expect(await graph.listPendingVectors(5)).toMatchObject([{ node: { weight: 0.9, revision: 3 } }]);
  });

  it('are left to the filling of the next space there', async () => {
    const { id } = await addReleased();
    const next = await graph.openNextVectorSpace('test/other', 2);
    const vector = { spaceId: next.id, values: new Float32Array([1, 0]) };
    await graph.putVectors([{ id, revision: 1, vector }]);
    expect(await graph.listWithoutVector(next.id, { limit: 5 })).toEqual([]);
    expect(await reembed([{ id, spaceId: next.id }])).toBe(1);
    expect(await graph.listWithoutVector(next.id, { limit: 5 })).toMatchObject([{ id }]);
  });

  it('are none of memories that are gone or being erased, and of spaces out of use', async () => {
    const gone = await addReleased();
    await graph.delete(gone.id);
    const kept = await addReleased();
    const erased = await addReleased();
    expect(await reembed([{ id: kept.id, spaceId: space.id + 1 }])).toBe(0);
    await graph.beginErasure('ann');
    expect(await reembed([gone, erased].map(({ id }) => ({ id, spaceId: space.id })))).toBe(0);
    expect(await graph.listPendingVectors(5)).toEqual([]);
  });
});
