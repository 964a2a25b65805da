import type { Embedder } from '../../../../src/embeddings/embedder';
import { createLexicalEmbedder } from '../../../../src/embeddings/lexical/lexical-embedder';
import { HoldfastError } from '../../../../src/base/errors';
import { newId } from '../../../../src/base/ids';
import { createMemoryRecall } from '../../../../src/memory/search/recall';
import { createMemorySearch } from '../../../../src/memory/search/search';
import { createOpenSpaces } from '../../../../src/memory/vectors/vector-spaces';
import type { MemoryGraph } from '../../../../src/stores/memory/memory-graph';
import type { MemoryNode } from '../../../../src/stores/memory/node';
import { createSqliteMemoryGraph } from '../../../../src/stores/sqlite/memory';
import { episodic, semantic } from '../../../contract/support/memories';
import { temporaryFolder } from '../../../contract/support/temporary-folder';

const folder = temporaryFolder();
const lexical = createLexicalEmbedder(64);
let graph: MemoryGraph;

beforeAll(() => {
  graph = createSqliteMemoryGraph({ path: folder.file('memory.db') });
});
afterAll(async () => {
  await graph.close();
  folder.remove();
});

/** A recall with this embedder, and the texts that the embedder got. */
function recallBy(embed: Embedder['embed']) {
  const embedder: Embedder = { ...lexical, embed };
  const spaces = createOpenSpaces(graph, {
    choose: () => Promise.resolve(embedder),
    find: () => embedder,
  });
  return createMemoryRecall({
    graph,
    spaces,
    search: createMemorySearch({ graph, spaces, index: undefined, now: Date.now }),
    reads: { note: (node: MemoryNode) => node } as never,
    hasSemantic: true,
    thresholds: { episodic: 0.3, semantic: 0.3 },
  });
}

async function addTea(userId: string): Promise<string> {
  const space = await graph.pinVectorSpace('lexical:lexical-1', 64);
  const text = 'tea is kept in the tin';
  const [values = new Float32Array()] = await lexical.embed([text]);
  const node = semantic({ text, userId, body: { concept: 'tea', description: text, metadata: {} } });
  await graph.insert({ node, vector: { spaceId: space.id, values } });
  return node.id;
}

async function addEvent(userId: string, text: string): Promise<{ readonly id: string }> {
  const space = await graph.pinVectorSpace('lexical:lexical-1', 64);
  const [values = new Float32Array()] = await lexical.embed([text]);
  const node = episodic({ text, userId });
  await graph.insert({ node, vector: { spaceId: space.id, values } });
  return node;
}

const query = (userId: string) => ({
  userId,
  sessionId: 's',
  text: 'tea tin',
  terms: [],
  limit: 10,
  crossSession: true,
  recent: 0,
  withVectors: true,
});
const BY_WORDS = 'memories were searched by words alone';

test.each(['EMBEDDER_UNAVAILABLE', 'VECTOR_SPACE_CHANGED'] as const)(
  'with the embedder gone what words find is told, without vectors: %s',
  async (code) => {
    const userId = newId();
    const id = await addTea(userId);
    const gone = new HoldfastError(code, 'it is gone', { details: { service: 'embedder' } });
    const recalled = await recallBy(() => Promise.reject(gone)).recall(query(userId));
    expect(recalled.semantic.map((each) => each.id)).toEqual([id]);
    expect(recalled.semantic[0]?.embedding).toBeUndefined();
    const note = (consequence: string) => ({ service: 'embedder', reason: 'it is gone', consequence });
    expect(recalled.degraded).toEqual([
      note(`episodic ${BY_WORDS}`),
      note(`semantic ${BY_WORDS}`),
      note('vectors were left out'),
    ]);
  },
);

test('vectors are told where the embedder is there, and none is made of nothing', async () => {
  const userId = newId();
  const asked: number[] = [];
  const { recall } = recallBy((texts) => {
    asked.push(texts.length);
    return lexical.embed(texts);
  });
  await recall(query(userId));
  expect(asked).not.toContain(0);
  await addTea(userId);
  const { semantic: known, degraded } = await recall(query(userId));
  expect([known[0]?.embedding?.length, degraded]).toEqual([64, []]);
});

test('an attempt that was given up searches no further, not by words either', async () => {
  const userId = newId();
  await addTea(userId);
  const attempt = new AbortController();
  const reason = new Error('given up');
  const { recall } = recallBy(() => {
    attempt.abort(reason);
    return Promise.reject(new HoldfastError('EMBEDDER_UNAVAILABLE', 'it is gone'));
  });
  const searched = jest.spyOn(graph, 'searchText');
  await expect(recall(query(userId), attempt.signal)).rejects.toBe(reason);
  expect(searched).not.toHaveBeenCalled();
  searched.mockRestore();
});

test('an order that no memory fits as a whole is searched by its topic', async () => {
  const userId = newId();
  const said = 'Please remember that my sister lives in Lisbon and that I drink 3 cups of coffee a day.';
  const { id } = await addEvent(userId, said);
  const recallOf = async (text: string) =>
    (await recallBy((texts) => lexical.embed(texts)).recall({ ...query(userId), text })).episodic.map(
      (one) => one.id,
    );
  expect(await recallOf('Take the number of cups of coffee I told you about and add 10 to it.')).toEqual([
    id,
  ]);
  expect(await recallOf('Multiply the cups of coffee by 7')).toEqual([id]);
  expect(await recallOf('Take the number of cups of tea in the cupboard and add 10 to it.')).toEqual([]);
});
