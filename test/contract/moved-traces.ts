import { createFactLog } from '../../src/memory/facts/fact-log';
import { createFacts } from '../../src/memory/facts/facts';
import { createKeptSources } from '../../src/memory/facts/kept-sources';
import { createTraces } from '../../src/memory/service/create-traces';
import type { OwnerSettings } from '../../src/memory/service/owner-keys';
import { createMemoryArchive } from '../../src/memory/upkeep/archive';
import { createPseudonyms } from '../../src/secrets/pseudonyms';
import { createSecretBox, KEY_BYTES } from '../../src/secrets/secret-box';
import type { DocumentStore } from '../../src/stores/documents';
import type { MemoryNode } from '../../src/stores/memory/node';
import { AT, home } from './facts';
import type { DocumentStoreHarness } from './support/harness';

const KEY = Buffer.alloc(KEY_BYTES, 7);
const USER = 'ada';
const SERVER = { uri: 'bolt://Graph.example', username: 'neo4j', password: 'p', database: 'neo4j' };
const NAME = { userId: USER, consolidationId: 'c1' };
const secrets = createSecretBox(KEY);
const pseudonyms = createPseudonyms(KEY);
const now = (): number => AT;

const node = (id: string): MemoryNode => ({ id, userId: USER }) as MemoryNode;

/** What every store of documents must do with facts and archived memories that are under other keys. */
export function describeMovedTraces(name: string, open: () => Promise<DocumentStoreHarness>): void {
  describe(`facts and archived memories under other keys on ${name}`, () => {
    let harness: DocumentStoreHarness;
    let documents: DocumentStore;
    let memories: Map<string, MemoryNode>;

    beforeEach(async () => {
      harness = await open();
      documents = harness.connect();
      memories = new Map([['m1', node('m1')]]);
    });
    afterEach(() => harness.dispose());

    const openTraces = (settings: Partial<OwnerSettings> = {}) => {
      const graph = {
        getMany: (ids: readonly string[]) =>
          Promise.resolve(new Map([...memories].filter(([id]) => ids.includes(id)))),
      };
      const { log, archive } = createTraces({
        documents,
        graph,
        secrets,
        pseudonyms,
        settings: { neo4j: undefined, pinecone: undefined, VECTOR_STORE: 'graph', ...settings },
        tenant: 'default',
        kept: createKeptSources(),
        now,
      } as Parameters<typeof createTraces>[0]);
      return { log, archive, facts: createFacts({ log, rules: undefined, newId: () => 'z1', now }) };
    };
    const values = async (traces: ReturnType<typeof openTraces>) =>
      (await traces.facts.list(USER)).map(({ value }) => value);

    /** Stores what an earlier build stored when the vectors were in this place. */
    async function storeAsBefore(vectordb: string, graphdb = 'embedded'): Promise<void> {
      const store = pseudonyms('memory-stores', JSON.stringify({ graphdb, vectordb }));
      const owner = (purpose: string) => (userId: string) =>
        pseudonyms(purpose, JSON.stringify([store, 'default', userId]));
      const log = createFactLog({ documents, secrets, pseudonym: owner('facts') });
      await log.record(USER, { memoryId: 'm1', at: AT, said: [home('Leeds')] });
      await log.record(USER, { memoryId: 'z0', at: AT, correctedAt: AT, said: [home('Hull')] });
      const pseudonym = owner('archived-memories');
      const archive = createMemoryArchive({ documents, secrets, pseudonym, now });
      await archive.note(NAME, { archived: 1 });
      await archive.put(NAME, 0, { node: node('m0'), neighbours: { next: 'm1' } });
    }

    test.each(['embedded', 'none', JSON.stringify(['a key of another time', 'index'])])(
      'those of earlier builds are found where the vectors were in %s',
      async (vectordb) => {
        await storeAsBefore(vectordb);
        const traces = openTraces();
        expect(await values(traces)).toEqual(['Leeds', 'Hull']);
        expect(await traces.archive.list(USER)).toEqual([{ id: 'c1', at: AT, archived: 1 }]);
        expect((await traces.archive.latest(NAME, 9)).get(0)?.node).toEqual(node('m0'));
        expect(await values(openTraces({ VECTOR_STORE: 'none' }))).toEqual(['Leeds', 'Hull']);
        expect([await documents.list('facts'), await documents.list('archived-memories')]).toEqual([
          [expect.anything(), expect.anything()],
          [expect.anything()],
        ]);
        // A copy that was moved expires as it would have.
        await documents.removeExpired(AT + 9 * 86_400_000, 9);
        expect(await documents.list('archived-memories')).toEqual([]);
        expect(await documents.list('consolidations')).toHaveLength(1);
        await documents.removeExpired(AT + 31 * 86_400_000, 9);
        expect(await documents.list('consolidations')).toEqual([]);
      },
    );

    test('they move with the address of the graph, and back, but never to another graph', async () => {
      const before = openTraces({ neo4j: SERVER });
      await before.log.record(USER, { memoryId: 'm1', at: AT, said: [home('Leeds')] });
      const same = openTraces({ neo4j: { ...SERVER, uri: 'neo4j://graph.example:7687', password: 'q' } });
      expect(await values(same)).toEqual(['Leeds']);
      const renamed = { ...SERVER, uri: 'bolt://10.0.0.7' };
      expect(await values(openTraces({ neo4j: renamed }))).toEqual(['Leeds']);
      expect(await values(openTraces({ neo4j: SERVER }))).toEqual(['Leeds']);
      memories.clear();
      expect(await values(openTraces({ neo4j: { ...SERVER, database: 'other' } }))).toEqual([]);
      expect(await values(openTraces({ neo4j: SERVER }))).toEqual(['Leeds']);
    });

    test('an erasure removes them, also corrections whose memories are gone', async () => {
      await storeAsBefore('embedded');
      memories.clear();
      const { log, archive } = openTraces();
      await log.beginErasure(USER);
      await archive.beginErasure(USER);
      expect(await archive.eraseSome(USER, 9)).toBe(1);
      await log.endErasure(USER);
      await archive.endErasure(USER);
      for (const collection of ['facts', 'archived-memories', 'consolidations'])
        expect(await documents.list(collection)).toEqual([]);
    });

    test('a move that fails is tried again by the next use', async () => {
      await storeAsBefore('embedded');
      const traces = openTraces();
      const list = jest.spyOn(documents, 'list').mockRejectedValueOnce(new Error('unreachable'));
      await expect(traces.facts.list(USER)).rejects.toThrow('unreachable');
      list.mockRestore();
      expect(await values(traces)).toEqual(['Leeds', 'Hull']);
    });
  });
}
