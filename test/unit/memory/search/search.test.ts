import { newId } from '../../../../src/base/ids';
import type { Embedder } from '../../../../src/embeddings/embedder';
import { createLexicalEmbedder } from '../../../../src/embeddings/lexical/lexical-embedder';
import {
  createMemorySearch,
  type HybridQuery,
  type MemorySearch,
} from '../../../../src/memory/search/search';
import { createOpenSpaces } from '../../../../src/memory/vectors/vector-spaces';
import type { MemoryGraph } from '../../../../src/stores/memory/memory-graph';
import type { SearchHit } from '../../../../src/stores/memory/search';
import { createSqliteMemoryGraph } from '../../../../src/stores/sqlite/memory';
import { episodic, type NodeFields, TIME } from '../../../contract/support/memories';
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
  search = createMemorySearch({ graph, spaces, index: undefined, now: Date.now });
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

/** Adds a memory that only its words find, because it has no vector. */
async function addWithoutVector(text: string, fields: NodeFields = {}): Promise<string> {
  const node = episodic({ text, userId, ...fields });
  await graph.insert({ node, vector: null });
  return node.id;
}

function find(text: string, rest: Partial<HybridQuery> = {}) {
  return search.hybrid({ userId, kind: 'episodic', text, limit: 10, threshold: 0, ...rest });
}

const idsOf = async (...query: Parameters<typeof find>): Promise<string[]> =>
  (await find(...query)).map(({ node }) => node.id);

describe('a search by words and meaning', () => {
  it('gives for a smaller limit the beginning of what it gives for a larger one', async () => {
    const words = ['cat', 'soup', 'violin', 'garden', 'snow', 'train'];
    for (let at = 0; at < 120; at += 1) {
      const text = [at, at * 7 + 1, at * at].map((n) => words[n % words.length]).join(` x${at % 9} `);
      await add(text, { sessionId: `session ${at % 5}` });
    }
    for (const text of ['cat soup', 'violin', 'snow garden train', 'x3 cat']) {
      const all = await idsOf(text);
      expect(all).toHaveLength(10);
      for (const limit of [1, 3, 6]) expect(await idsOf(text, { limit })).toEqual(all.slice(0, limit));
    }
  });

  it('finds a memory of a time that the query names, whatever its words are', async () => {
    const yesterday = await add('I painted the fence', { timestamp: Date.now() - 86_400_000 });
    await add('I painted the door', { timestamp: Date.now() - 9 * 86_400_000 });
    const found = await find('What did I do yesterday?', { threshold: 0.15 });
    expect(found.map(({ node, relevance }) => [node.id, relevance])).toEqual([[yesterday, 0.3]]);
    const before = await add('I painted the gate', { timestamp: TIME - 86_400_000 });
    const asOf = { asOf: TIME, filters: { to: TIME } };
    const then = await find('What did I do yesterday?', { threshold: 0.15, ...asOf });
    expect(then.map(({ node }) => node.id)).toEqual([before]);
  });

  it('decides between equals by importance, then by time, then by id', async () => {
    const addAlone = (fields: NodeFields) => add('a zeppelin', { sessionId: newId(), ...fields });
    const late = await addAlone({ timestamp: TIME + 1 });
    const [first = '', second = ''] = [await addAlone({}), await addAlone({})].sort();
    const important = await addAlone({ weight: 0.9, timestamp: TIME - 1 });
    for (const order of ['context', 'relevance'] as const) {
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

  it('lets a rare word decide before a frequent one', async () => {
    for (let n = 0; n < 9; n += 1) await add(`the garden in week ${n}`, { sessionId: newId() });
    const rare = await add('the bassoon in the attic', {
      sessionId: newId(),
      timestamp: TIME - 1,
      weight: 0.1,
    });
    for (const text of ['garden bassoon', 'bassoon garden']) expect((await idsOf(text))[0]).toBe(rare);
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
      neighbours: () => Promise.resolve(new Map()),
    } as unknown as MemoryGraph;
    const open = { space: { id: 1, model: 'm', dimensions: 64 }, embedder: by };
    return createMemorySearch({
      graph: stub,
      spaces: { use: (work) => work(open) },
      index: undefined,
      now: Date.now,
    });
  }

  it('does not let one common word of many outrank meaning, and lets a name do so', async () => {
    const others = Array.from({ length: 30 }, (_, n) => ({ id: `far${n}`, score: 0.8 - n / 100 }));
    // As an embedder of meaning has it; one that compares words has a smaller share.
    const byMeaning = { ...embedder, meaningShare: 0.35 };
    const among = searchAmong([{ id: 'near', score: 0.9 }, ...others, { id: 'word', score: 0.4 }], byMeaning);
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

describe('a search in the context of a session', () => {
  const QUESTION = 'Which instrument is your nephew learning?';
  const ANSWER = 'A bassoon, alas!';
  const ASKED = 'instrument of the nephew';

  it('finds an answer by the question before it, but never as relevant by that alone', async () => {
    await add('The soup was burnt');
    const question = await add(QUESTION);
    const answer = await add(ANSWER);
    const [first, second] = await find(ASKED, { threshold: 0.3 });
    expect([first?.node.id, first?.reasons.neighbourOf]).toEqual([question, undefined]);
    expect([second?.node.id, second?.reasons.neighbourOf]).toEqual([answer, question]);
    expect(second?.reasons.previous).toBe(first?.reasons.own.fused);
    expect(second?.reasons.own.relevance).toBeLessThan(0.1);
    expect(second?.relevance).toBeLessThan(0.7);
  });

  it('finds what stands beside a found memory though neither words nor meaning find it', async () => {
    const before = await addWithoutVector('The soup was burnt');
    const question = await add(QUESTION);
    const answer = await addWithoutVector(ANSWER);
    await addWithoutVector('It rained');
    const found = await find(ASKED);
    // What follows gets more of the score than what goes before.
    expect(found.map(({ node }) => node.id)).toEqual([question, answer, before]);
    expect(found.map(({ reasons }) => reasons.neighbourOf)).toEqual([undefined, question, question]);
    expect(found.map(({ reasons }) => reasons.own.meaning === undefined)).toEqual([false, true, true]);
    expect(found[1]?.relevance).toBeGreaterThan(found[2]?.relevance ?? 1);
  });

  it('does not take a memory for a neighbour where it owes its relevance to itself', async () => {
    const [one, other] = [await add('the bassoon concert'), await add('another bassoon concert')];
    const found = await find('bassoon concert');
    expect(new Set(found.map(({ node }) => node.id))).toEqual(new Set([one, other]));
    expect(found.map(({ reasons }) => reasons.neighbourOf)).toEqual([undefined, undefined]);
  });

  it.each<[string, NodeFields, Partial<HybridQuery>]>([
    ['the label', { labels: ['sea'] }, { filters: { anyLabel: ['air'] } }],
    ['the least weight', { weight: 0.2 }, { filters: { minWeight: 0.4 } }],
    ['the largest weight', { weight: 0.9 }, { filters: { maxWeight: 0.6 } }],
    ['the begin', { timestamp: TIME - 1 }, { filters: { from: TIME } }],
    ['the end', { timestamp: TIME + 1 }, { filters: { to: TIME } }],
    ['an exception', {}, { except: ({ text }) => text === ANSWER }],
  ])('adds no neighbour that is left out by %s', async (_, fields, query) => {
    for (const addAnswer of [add, addWithoutVector]) {
      const sessionId = newId();
      const question = await add(QUESTION, { sessionId, labels: ['air'] });
      const answer = await addAnswer(ANSWER, { sessionId, labels: ['air'], ...fields });
      expect(await idsOf(ASKED, { filters: { sessionId } })).toEqual([question, answer]);
      const filters = { ...query.filters, sessionId };
      expect(await idsOf(ASKED, { ...query, filters })).toEqual([question]);
    }
  });

  it('adds nothing of another session, though it was stored next', async () => {
    const question = await add(QUESTION, { sessionId: 'one' });
    await addWithoutVector(ANSWER, { sessionId: 'other' });
    await addWithoutVector(ANSWER, { sessionId: 'one', userId: newId() });
    await addWithoutVector(ANSWER, { kind: 'semantic', sessionId: null });
    expect(await idsOf(ASKED)).toEqual([question]);
  });

  it('does not look at neighbours where relevance is the order', async () => {
    const question = await add(QUESTION);
    await addWithoutVector(ANSWER);
    const found = await find(ASKED, { order: 'relevance' });
    expect(found.map(({ node }) => node.id)).toEqual([question]);
    expect(found[0]?.reasons).toMatchObject({ previous: 0, next: 0, date: 0, neighbourOf: undefined });
  });

  it('finds concepts, which have no session, without neighbours', async () => {
    const fields = { kind: 'semantic', sessionId: null } as const;
    const ids = [await add('a bassoon', fields), await add('a bassoon concert', fields)];
    const found = await find('bassoon', { kind: 'semantic' });
    expect(new Set(found.map(({ node }) => node.id))).toEqual(new Set(ids));
    for (const { reasons } of found) expect([reasons.previous, reasons.next]).toEqual([0, 0]);
  });
});

describe('a search that names a time', () => {
  const IN_TIME = Date.UTC(2023, 4, 3, 12);
  const LATER = Date.UTC(2023, 5, 1, 12);

  it('has a memory of that time before an equal one of another', async () => {
    const named = await add('a zeppelin', { sessionId: newId(), timestamp: IN_TIME });
    const latest = await add('a zeppelin', { sessionId: newId(), timestamp: LATER, weight: 0.9 });
    expect(await idsOf('the zeppelin')).toEqual([latest, named]);
    const found = await find('the zeppelin on 3 May 2023');
    expect(found.map(({ node }) => node.id)).toEqual([named, latest]);
    expect(found.map(({ reasons }) => reasons.date)).toEqual([0.2, 0]);
    expect(await idsOf('the zeppelin on 3 May 2023', { order: 'relevance' })).toEqual([latest, named]);
  });

  it('also has one whose words do not match before an equal one, and one that nothing else finds', async () => {
    const named = await add('rain all day', { sessionId: newId(), timestamp: IN_TIME });
    await add('rain all day', { sessionId: newId(), timestamp: LATER, weight: 0.9 });
    const hidden = await addWithoutVector('snow', { sessionId: newId(), timestamp: IN_TIME, weight: 0.9 });
    await addWithoutVector('snow', { sessionId: newId(), timestamp: LATER });
    const found = await idsOf('What happened in May 2023?');
    expect(found.length).toBe(3);
    expect(new Set(found.slice(0, 2))).toEqual(new Set([named, hidden]));
  });

  it('stays within the filters, also those of time', async () => {
    const fields = { sessionId: 'one', timestamp: IN_TIME };
    const evening = await addWithoutVector('rain', { ...fields, timestamp: IN_TIME + 1 });
    await addWithoutVector('rain', fields);
    await addWithoutVector('rain', { sessionId: 'other', timestamp: IN_TIME + 1 });
    await addWithoutVector('rain', { ...fields, userId: newId() });
    await addWithoutVector('rain', { ...fields, timestamp: IN_TIME + 3 });
    const query = 'What happened on 3 May 2023?';
    const filters = { sessionId: 'one', from: IN_TIME + 1, to: IN_TIME + 2 };
    expect(await idsOf(query, { filters })).toEqual([evening]);
    expect(await idsOf(query, { filters, except: ({ id }) => id === evening })).toEqual([]);
    expect(await idsOf(query, { filters: { from: LATER } })).toEqual([]);
  });

  it('counts days from the time of the search', async () => {
    const yesterday = await add('a zeppelin', { sessionId: newId(), timestamp: Date.now() - 86_400_000 });
    await add('a zeppelin', { sessionId: newId(), timestamp: Date.now() });
    expect((await idsOf('the zeppelin yesterday'))[0]).toBe(yesterday);
  });
});
