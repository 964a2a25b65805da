import { createLexicalEmbedder } from '../../src/embeddings/lexical/lexical-embedder';
import { createMemorySearch, type HybridQuery, type MemorySearch } from '../../src/memory/search/search';
import { createOpenSpaces } from '../../src/memory/vectors/vector-spaces';
import type { MemoryGraph } from '../../src/stores/memory/memory-graph';
import type { VectorQuery } from '../../src/stores/memory/search';
import type { VectorIndex } from '../../src/stores/memory/vector-index';
import { dot } from '../support/outbox-graph';
import { add, episodic, semantic } from './support/memories';
import type { MemoryGraphHarness } from './support/memory-harness';

const DIMENSIONS = 256;
const NOW = Date.UTC(2026, 10, 25, 10);
const MINUTE_MS = 60_000;

/** An invented conversation: the turns of each session by their names, with the time of the first. */
const SESSIONS = [
  {
    at: Date.UTC(2026, 2, 2, 18),
    turns: {
      kittens: 'Did your kittens find a home?',
      grey: 'Two went to a baker, but Pebble stays here!',
      tandem: 'My sister repaired our old tandem.',
      ride: 'Lovely! Who rides in front?',
      canal: 'She does, all along the canal towards Brackwater.',
      soup: 'I burnt the lentil soup again.',
      pot: 'A thicker pot might help.',
      marketInMarch: 'It was crowded on the market.',
    },
  },
  {
    at: Date.UTC(2026, 5, 14, 9),
    turns: {
      pottery: 'I started lessons at the pottery studio.',
      teacher: 'Who runs it?',
      sailor: 'A retired sailor who shouts.',
      instrument: 'Which instrument has your nephew chosen?',
      bassoon: 'A bassoon, alas!',
      plums: 'We planted seven plum trees behind the barn.',
      hail: 'The hail broke two windows of my greenhouse.',
      glass: 'I can bring you some panes.',
      marketInJune: 'It was crowded on the market.',
    },
  },
  {
    at: Date.UTC(2026, 9, 5, 20),
    turns: {
      museum: 'My new job is at the lighthouse museum.',
      commute: 'Congratulations! How long is your commute?',
      ferry: 'Forty minutes by boat.',
      knee: 'My knee hurts since the marathon.',
      doctor: 'Has a doctor looked at it?',
      rest: 'Yes: six weeks without stairs.',
      choir: 'The choir sings in the old chapel.',
      cake: 'Then I will bake a ginger cake from the recipe of my aunt.',
    },
  },
] as const;

/** Questions, each with the names of the first three turns found; the first is the one that is asked for. */
const ORDER: Readonly<Record<string, readonly string[]>> = {
  'How many plum trees are behind the barn?': ['plums', 'hail', 'bassoon'],
  'Was the market crowded in June 2026?': ['marketInJune', 'marketInMarch', 'glass'],
  'Was the market crowded in March 2026?': ['marketInMarch', 'marketInJune', 'pot'],
  'What happened to the lentil soup?': ['soup', 'pot', 'canal'],
  'What instrument has the nephew chosen?': ['instrument', 'bassoon', 'sailor'],
  'Where did the kittens find a home?': ['kittens', 'grey'],
  'Where does the choir sing?': ['choir', 'cake', 'rest'],
  'Where is the lighthouse museum?': ['museum', 'commute'],
  'Which lessons are at the pottery studio?': ['pottery', 'teacher'],
  'Which windows did the hail break?': ['hail', 'glass', 'plums'],
  'Who repaired the tandem?': ['tandem', 'ride', 'grey'],
  'Whose recipe is the ginger cake?': ['cake', 'choir'],
};

/** Questions whose answer has none of their words, and follows a turn that has. */
const ANSWERS = [
  { asked: 'Where did the kittens find a home?', question: 'kittens', answer: 'grey' },
  { asked: 'What instrument has the nephew chosen?', question: 'instrument', answer: 'bassoon' },
  { asked: 'How long is the commute?', question: 'commute', answer: 'ferry' },
] as const;

/** What the stores tell (words, vectors, neighbours, times) decides the order of a search, which is made outside of them. */
export function describeRanking(harness: () => MemoryGraphHarness): void {
  describe('the order of a search in a conversation', () => {
    const embedder = createLexicalEmbedder(DIMENSIONS);
    let graph: MemoryGraph;
    let search: MemorySearch;
    let names: Map<string, string>;
    beforeEach(async () => {
      graph = harness().connect();
      const spaces = createOpenSpaces(graph, {
        choose: () => Promise.resolve(embedder),
        find: () => embedder,
      });
      search = createMemorySearch({ graph, spaces, index: undefined, now: () => NOW });
      names = await store();
    });

    /** Stores the conversation, and returns the names of its turns by id. */
    async function store(): Promise<Map<string, string>> {
      const { provider, model } = embedder.identity;
      const { id: spaceId } = await graph.pinVectorSpace(`${provider}:${model}`, DIMENSIONS);
      const stored = new Map<string, string>();
      for (const [session, { at, turns }] of SESSIONS.entries()) {
        for (const [place, [name, text]] of Object.entries(turns).entries()) {
          const [values = new Float32Array()] = await embedder.embed([text]);
          const timestamp = at + place * MINUTE_MS;
          const node = episodic({ sessionId: `session ${session}`, timestamp, text });
          await add(graph, node, { vector: { spaceId, values } });
          stored.set(node.id, name);
        }
      }
      return stored;
    }

    /** Names of the found turns, best first, each with the name of the neighbour by which it was found. */
    async function find(text: string, rest: Partial<HybridQuery> = {}) {
      const query = { userId: 'ann', kind: 'episodic', text, limit: 10, threshold: 0.15, ...rest } as const;
      return (await search.hybrid(query)).map(({ node, reasons: { neighbourOf } }) => ({
        name: names.get(node.id),
        by: neighbourOf === undefined ? undefined : names.get(neighbourOf),
      }));
    }

    it('has an answer without a word of the question beside the turn that asked', async () => {
      for (const { asked, question, answer } of ANSWERS) {
        const found = await find(asked);
        expect(found[0]).toEqual({ name: question, by: undefined });
        expect([asked, found.slice(0, 3)]).toEqual([
          asked,
          expect.arrayContaining([{ name: answer, by: question }]),
        ]);
      }
    });

    it('has the turn first that is asked for, and is the same in every store', async () => {
      const found: Record<string, (string | undefined)[]> = {};
      for (const asked of Object.keys(ORDER))
        found[asked] = (await find(asked)).slice(0, 3).map(({ name }) => name);
      expect(found).toEqual(ORDER);
    });

    it('of concepts is the same where their vectors are in an outside index', async () => {
      const { provider, model } = embedder.identity;
      const { id: spaceId } = await graph.pinVectorSpace(`${provider}:${model}`, DIMENSIONS);
      const indexed: { readonly id: string; readonly values: Float32Array }[] = [];
      const texts = SESSIONS.flatMap(({ turns }) => Object.values(turns));
      for (const [place, text] of texts.entries()) {
        const [values = new Float32Array()] = await embedder.embed([text]);
        const fields = { text, timestamp: NOW + place };
        await add(graph, semantic({ ...fields, userId: 'bea' }), { vector: { spaceId, values } });
        const outside = semantic({ ...fields, userId: 'cai' });
        await add(graph, outside);
        indexed.push({ id: outside.id, values });
      }
      const index = {
        search: ({ vector, limit }: VectorQuery) =>
          Promise.resolve(
            indexed
              .map(({ id, values }) => ({ id, score: dot(vector, values) }))
              .sort((one, other) => other.score - one.score || (one.id < other.id ? -1 : 1))
              .slice(0, limit),
          ),
      } as unknown as VectorIndex;
      const spaces = createOpenSpaces(graph, {
        choose: () => Promise.resolve(embedder),
        find: () => embedder,
      });
      const outsideSearch = createMemorySearch({ graph, spaces, index, now: () => NOW });
      for (const asked of Object.keys(ORDER)) {
        const query = { kind: 'semantic', text: asked, limit: 5, threshold: 0 } as const;
        const inside = await search.hybrid({ ...query, userId: 'bea' });
        const outside = await outsideSearch.hybrid({ ...query, userId: 'cai' });
        expect(outside.map(({ node }) => node.text)).toEqual(inside.map(({ node }) => node.text));
        for (const [place, { relevance }] of inside.entries())
          expect(outside[place]?.relevance).toBeCloseTo(relevance, 5);
      }
    });

    it('by relevance knows no neighbours', async () => {
      for (const { asked, question, answer } of ANSWERS) {
        const found = await find(asked, { order: 'relevance' });
        expect(found[0]).toEqual({ name: question, by: undefined });
        expect(found.map(({ name }) => name)).not.toContain(answer);
      }
    });

    it('stays within the filters', async () => {
      const asked = 'Was the market crowded in March 2026?';
      const later = await find(asked, { filters: { from: Date.UTC(2026, 5, 1) } });
      expect(later[0]?.name).toBe('marketInJune');
      expect(later.map(({ name }) => name)).not.toContain('marketInMarch');
      const elsewhere = await find(asked, { filters: { sessionId: 'session 2' } });
      const inSession = Object.keys(SESSIONS[2].turns);
      expect(elsewhere.filter(({ name }) => name === undefined || !inSession.includes(name))).toEqual([]);
    });
  });
}
