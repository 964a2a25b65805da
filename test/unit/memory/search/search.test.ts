import { newId } from '../../../../src/base/ids';
import type { Embedder } from '../../../../src/embeddings/embedder';
import { createLexicalEmbedder } from '../../../../src/embeddings/lexical/lexical-embedder';
import type { HybridQuery, MemorySearch } from '../../../../src/memory/search/search';
import { createMemorySearch } from '../../../../src/memory/search/search';
import { createOpenSpaces } from '../../../../src/memory/vectors/vector-spaces';
import type { MemoryGraph } from '../../../../src/stores/memory/memory-graph';
import type { SearchHit } from '../../../../src/stores/memory/search';
import { createSqliteMemoryGraph } from '../../../../src/stores/sqlite/memory';
import type { NodeFields } from '../../../contract/support/memories';
import { TIME, episodic } from '../../../contract/support/memories';
import { temporaryFolder } from '../../../contract/support/temporary-folder';

const folder = temporaryFolder();
const embedder = createLexicalEmbedder(64);
let graph: MemoryGraph;
let search: MemorySearch;
let userId: string;

beforeAll(() => {
  graph = createSqliteMemoryGraph({ path: folder.file('memory.db') });
  const spaces = createOpenSpaces(graph, {
    choose: () => Promise.resolve(embedder),
    find: () => embedder,
  });
  search = createMemorySearch({ graph, spaces, index: undefined });
});
beforeEach(() => {
  userId = newId();
});
afterAll(async () => {
  await graph.close();
  folder.remove();
});

async function add(text: string, fields: NodeFields = {}): Promise<string> {
  const space = await graph.pinVectorSpace('lexical:lexical-1', 64);
  const [values = new Float32Array()] = await embedder.embed([text]);
  const node = episodic({ text, userId, ...fields });
  await graph.insert({ node, vector: { spaceId: space.id, values } });
  return node.id;
}

function find(text: string, rest: Partial<HybridQuery> = {}) {
  return search.hybrid({ userId, kind: 'episodic', text, limit: 10, threshold: 0, ...rest });
}

const idsOf = async (...query: Parameters<typeof find>): Promise<string[]> =>
  (await find(...query)).map(({ node }) => node.id);

describe('a search by words and meaning', () => {
  it('decides between equals by importance, then by time, then by id', async () => {
    const late = await add('a zeppelin', { timestamp: TIME + 1 });
    const [first = '', second = ''] = [await add('a zeppelin'), await add('a zeppelin')].sort();
    const important = await add('a zeppelin', { weight: 0.9, timestamp: TIME - 1 });
    for (const order of ['fused', 'relevance'] as const) {
      expect(await idsOf('zeppelin', { order })).toEqual([important, late, first, second]);
    }
  });

  it('by relevance tells the highest score first, and a smaller limit gives the first of a larger', async () => {
    for (const text of ['violin', 'violin concert', 'violin concert hall', 'concert', 'hall', 'a walk'])
      await add(text);
    const query = 'violin concert hall';
    const found = await find(query, { order: 'relevance' });
    const scores = found.map(({ relevance }) => relevance);
    expect(found[0]?.node.text).toBe(query);
    expect(scores).toEqual([...scores].sort((one, other) => other - one));
    const all = await idsOf(query, { order: 'relevance' });
    for (const limit of [1, 2, 5]) {
      expect(await idsOf(query, { order: 'relevance', limit })).toEqual(all.slice(0, limit));
    }
  });

  it('leaves out what is below the threshold', async () => {
    const near = await add('the violin concert');
    await add('a walk by the lake');
    expect(await idsOf('violin concert', { threshold: 0.7 })).toEqual([near]);
    expect(await idsOf('violin concert', { threshold: 1 })).toEqual([]);
    expect((await idsOf('violin concert')).length).toBe(2);
  });

  it('scores all from 0 to 1, whatever is asked', async () => {
    await add('the violin concert');
    await add('👩‍🚀');
    for (const text of ['violin', 'the', '?', '👩‍🚀', 'x'.repeat(5_000)]) {
      for (const { relevance } of await find(text)) {
        expect(relevance).toBeGreaterThanOrEqual(0);
        expect(relevance).toBeLessThanOrEqual(1);
      }
    }
  });

  it('stays with the user, the kind and the filters', async () => {
    const mine = await add('a zeppelin', { labels: ['air'] });
    await add('a zeppelin', { userId: newId(), labels: ['air'] });
    await add('a zeppelin', { kind: 'semantic', sessionId: null, labels: ['air'] });
    await add('a zeppelin', { labels: ['sea'] });
    expect(await idsOf('zeppelin', { filters: { anyLabel: ['air'] } })).toEqual([mine]);
  });

  /** A search that finds these by vectors, and `word` by words. */
  function searchAmong(nearest: readonly SearchHit[], by: Embedder = embedder): MemorySearch {
    const textOf = (id: string): string => (id === 'word' ? 'Farinha likes the garden' : 'about something');
    const nodeOf = (id: string) => ({
      ...episodic({ id, text: textOf(id) }),
      revision: 1,
      readCount: 0,
      readAt: null,
    });
    const stub = {
      searchVectors: () => Promise.resolve(nearest),
      searchText: () => Promise.resolve([{ id: 'word', score: 3 }]),
      getMany: (ids: readonly string[]) => Promise.resolve(new Map(ids.map((id) => [id, nodeOf(id)]))),
    } as unknown as MemoryGraph;
    const open = { space: { id: 1, model: 'm', dimensions: 64 }, embedder: by };
    return createMemorySearch({ graph: stub, spaces: { use: (work) => work(open) }, index: undefined });
  }

  it('does not let one common word of many outrank meaning, and lets a name do so', async () => {
    const others = Array.from({ length: 30 }, (_, n) => ({ id: `far${n}`, score: 0.8 - n / 100 }));
    const among = searchAmong([{ id: 'near', score: 0.9 }, ...others, { id: 'word', score: 0.4 }]);
    const firstOf = async (text: string): Promise<string | undefined> =>
      (await among.hybrid({ userId, kind: 'episodic', text, limit: 1, threshold: 0 }))[0]?.node.id;
    expect(await firstOf('which garden vegetables survive frost')).toBe('near');
    expect(await firstOf('Farinha')).toBe('word');
  });

  it('takes what only words found for unrelated in meaning, however near the others are', async () => {
    const relevanceOf = async (nearest: readonly SearchHit[]): Promise<number | undefined> => {
      const query = { userId, kind: 'episodic', text: 'garden vegetables', limit: 9, threshold: 0 } as const;
      const byMeaning = { ...embedder, relevance: (cosine: number) => Math.max(0, cosine) };
      const found = await searchAmong(nearest, byMeaning).hybrid(query);
      return found.find(({ node }) => node.id === 'word')?.relevance;
    };
    const known = await relevanceOf([{ id: 'word', score: 0 }]);
    expect(known).toBeGreaterThan(0);
    for (const score of [0.2, 0.95]) expect(await relevanceOf([{ id: 'near', score }])).toBe(known);
  });
});
