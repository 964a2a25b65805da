import type { MemoryGraph } from '../../src/stores/memory/memory-graph';
import type { SpaceVector } from '../../src/stores/memory/node';
import { createNeo4jMemoryGraph } from '../../src/stores/neo4j/memory';
import { add, chain, episodic, pinSpace, scopeOf, semantic } from '../contract/support/memories';
import { NEO4J_WAIT_MS, describeWithNeo4j } from '../support/neo4j';
import { type Neo4jServer, startNeo4j } from '../support/neo4j-server';
import { answered, waitFor } from '../support/wait';

const UNAVAILABLE = { code: 'STORE_UNAVAILABLE', retryable: true };

let server: Neo4jServer;
let graph: MemoryGraph;
/** The same memories with a limit that a server which does not answer meets soon, and a busy one at times. */
let hurried: MemoryGraph;
let vector: (degrees: number) => SpaceVector;

describeWithNeo4j('a Neo4j server with memories that goes away', () => {
  beforeAll(async () => {
    server = await startNeo4j();
    graph = createNeo4jMemoryGraph({ neo4j: { ...server, operationLimitMs: 60_000 } });
    hurried = createNeo4jMemoryGraph({ neo4j: { ...server, operationLimitMs: 2_000 } });
    vector = await answered(() => pinSpace(graph));
  }, NEO4J_WAIT_MS);

  afterAll(async () => {
    await Promise.all([graph.close(), hurried.close()]);
    await server.stop();
  });

  async function expectAllUnavailable(id: string): Promise<void> {
    const scope = { ...scopeOf('episodic'), limit: 5 };
    const { spaceId, values } = vector(0);
    const operations: [string, () => Promise<unknown>][] = [
      ['insert', () => add(hurried, episodic())],
      ['get', () => hurried.get(id)],
      ['update', () => hurried.update(id, { weight: 1 })],
      ['delete', () => hurried.delete(id)],
      ['related', () => hurried.related(id)],
      ['list', () => hurried.list({ ...scope, order: 'newest-first' })],
      ['text search', () => hurried.searchText({ ...scope, text: 'walk' })],
      ['vector search', () => hurried.searchVectors({ ...scope, spaceId, vector: values })],
      ['stats', () => hurried.stats('ann')],
      ['erasure', () => hurried.eraseSome('ann', 5)],
      ['spaces', () => hurried.vectorSpaces()],
      ['held vectors', () => hurried.listPendingVectors(5)],
      ['ping', () => hurried.ping()],
    ];
    for (const [name, operation] of operations) {
      const outcome = await operation().catch((error: unknown) => error);
      expect([name, outcome]).toEqual([name, expect.objectContaining(UNAVAILABLE)]);
    }
  }

  test('is told as unavailable in time, and what it acknowledged is there when it is back', async () => {
    const node = await answered(() => add(graph, episodic({ userId: 'bob' }), { vector: vector(0) }));
    await server.kill();
    await expectAllUnavailable(node.id);
    await server.restart();
    expect(await answered(() => graph.get(node.id))).toEqual(node);
    expect(await answered(() => graph.update(node.id, { weight: 1 }))).toMatchObject({
      weight: 1,
      revision: 2,
    });
  });

  test('loses nothing it acknowledged when it is killed under writers, and keeps nothing in part', async () => {
    const acknowledged: string[] = [];
    const write = async (): Promise<unknown> => {
      for (let round = 0; ; round += 1) {
        const node = round % 4 === 0 ? semantic() : episodic();
        try {
          await add(graph, node, { vector: vector(round) });
        } catch (error) {
          return error;
        }
        acknowledged.push(node.id);
      }
    };
    const writers = Array.from({ length: 10 }, write);
    await waitFor(() => acknowledged.length >= 60, { what: 'sixty memories to be acknowledged' });
    await server.kill();
    for (const failure of await Promise.all(writers)) expect(failure).toMatchObject(UNAVAILABLE);
    await server.restart();

    const found = await answered(() => graph.getMany(acknowledged));
    expect(acknowledged.filter((id) => !found.has(id))).toEqual([]);
    const some = acknowledged.find((id) => found.get(id)?.kind === 'episodic') ?? '';
    const episodes = await answered(() => chain(graph, some));
    const { spaceId, values } = vector(0);
    for (const kind of ['episodic', 'semantic'] as const) {
      const scope = { ...scopeOf(kind), limit: 1_000 };
      const listed = await answered(() => graph.list({ ...scope, order: 'oldest-first' }));
      expect(await answered(() => graph.count(scope))).toBe(listed.length);
      const byText = await answered(() => graph.searchText({ ...scope, text: 'walk' }));
      expect(byText).toHaveLength(listed.length);
      const byVector = await answered(() => graph.searchVectors({ ...scope, spaceId, vector: values }));
      expect(byVector).toHaveLength(listed.length);
      if (kind === 'episodic') expect(episodes).toHaveLength(listed.length);
    }
    const last = await add(graph, episodic());
    expect(await chain(graph, some)).toEqual([...episodes, last.id]);
  });

  test('or only answers no more, is told in time, and a change given up is not kept later', async () => {
    const node = await add(graph, episodic({ userId: 'cay' }));
    server.freeze();
    await expectAllUnavailable(node.id);
    server.thaw();
    await waitFor(() => graph.ping().then(() => true), { what: 'the store to answer' });
    expect(await graph.get(node.id)).toEqual(node);
  });
});
