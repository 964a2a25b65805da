import { newId } from '../../../../src/base/ids';
import { createLexicalEmbedder } from '../../../../src/embeddings/lexical/lexical-embedder';
import { textOf, toEpisodicNode } from '../../../../src/memory/nodes/episodic-node';
import { createReindex } from '../../../../src/memory/vectors/reindex';
import { nameOf } from '../../../../src/memory/vectors/vector-spaces';
import type { MemoryGraph } from '../../../../src/stores/memory/memory-graph';
import { createSqliteMemoryGraph } from '../../../../src/stores/sqlite/memory';
import { temporaryFolder } from '../../../contract/support/temporary-folder';

const folder = temporaryFolder();
const { signal } = new AbortController();
let graph: MemoryGraph;

beforeEach(() => {
  graph = createSqliteMemoryGraph({ path: folder.file(`${newId()}.db`) });
});
afterEach(() => graph.close());
afterAll(() => folder.remove());

const userId = 'ida';
const memory = { userId, sessionId: 's', content: 'Dinner with Ana', context: { date: '3 May 2023' } };

/** Stores the memory as a build did that did not search its context. */
async function addFormer(model: string): Promise<string> {
  const node = toEpisodicNode(memory, { id: newId(), timestamp: 1 });
  const { id: spaceId } = await graph.pinVectorSpace(model, 64);
  const [values = new Float32Array()] = await createLexicalEmbedder(64).embed([memory.content]);
  await graph.insert({ node: { ...node, text: memory.content }, vector: { spaceId, values } });
  return node.id;
}

const findByDate = async (): Promise<string[]> =>
  (await graph.searchText({ userId, kind: 'episodic', text: 'May 2023', limit: 9 })).map(({ id }) => id);

describe('embedding memories again', () => {
  const embedder = createLexicalEmbedder(64);
  const reindex = () =>
    createReindex({ graph, embedders: { all: [embedder], find: () => embedder }, store: 'here', textOf });

  it('renews what search reads of memories of an earlier build, which are found meanwhile', async () => {
    const id = await addFormer(nameOf(embedder.identity));
    expect(await findByDate()).toEqual([]);
    const { spaceId } = await reindex().open(signal, true);
    expect(await reindex().page({ spaceId }, signal)).toEqual({ moved: 1, after: id });
    expect(await findByDate()).toEqual([id]);
    const current = (await graph.vectorSpaces()).current?.id ?? 0;
    const [vector = new Float32Array()] = await embedder.embed(['3 May 2023']);
    const nearest = { userId, kind: 'episodic', spaceId: current, vector, limit: 9 } as const;
    expect((await graph.searchVectors(nearest)).map((hit) => hit.id)).toEqual([id]);
    expect(await reindex().switchTo(spaceId)).toBe(true);
    expect((await graph.get(id))?.revision).toBe(2);
  });

  it('leaves their texts where they move to other dimensions of the same model', async () => {
    const id = await addFormer(nameOf(embedder.identity));
    const shorter = createLexicalEmbedder(32);
    const ports = { graph, embedders: { all: [shorter], find: () => shorter }, store: 'here', textOf };
    const { spaceId } = await createReindex(ports).open(signal);
    expect(await createReindex(ports).page({ spaceId }, signal)).toEqual({ moved: 1, after: id });
    expect(await createReindex(ports).switchTo(spaceId)).toBe(true);
  });

  it('moves memories of a user who is being erased as they are', async () => {
    const id = await addFormer(nameOf(embedder.identity));
    await graph.beginErasure(userId);
    const { spaceId } = await reindex().open(signal, true);
    expect(await reindex().page({ spaceId }, signal)).toEqual({ moved: 1, after: id });
    expect(await reindex().switchTo(spaceId)).toBe(true);
  });

  it('looks at the words of memories only where they may be of another version, or again', async () => {
    const pages = jest.spyOn(graph, 'renewWords');
    await addFormer(nameOf(embedder.identity));
    expect(await reindex().words({}, signal)).toEqual({ renewed: 0 });
    expect(pages).not.toHaveBeenCalled();
    expect(await reindex().words({ again: true }, signal)).toEqual({ renewed: 0 });
    // A step that has taken long asks for a further page.
    expect(pages).toHaveBeenCalled();
  });

  it('continues with the words where a step ended, in the same stores', async () => {
    const first = await addFormer(nameOf(embedder.identity));
    jest.spyOn(graph, 'renewWords').mockResolvedValueOnce({ renewed: 1, after: first });
    const step = await reindex().words({ again: true }, AbortSignal.abort());
    expect(step).toEqual({ renewed: 1, after: first, store: 'here' });
    expect(await reindex().words(step, signal)).toEqual({ renewed: 0 });
    await expect(reindex().words({ ...step, store: 'there' }, signal)).rejects.toMatchObject({
      code: 'EMBEDDING_MODEL_CHANGED',
    });
  });

  it('leaves their texts where they move to another model, whose vectors are not in use yet', async () => {
    const id = await addFormer('transformers:another');
    const { spaceId } = await reindex().open(signal);
    expect(await reindex().page({ spaceId }, signal)).toEqual({ moved: 1, after: id });
    expect(await findByDate()).toEqual([]);
    expect((await graph.get(id))?.revision).toBe(1);
  });
});
