import type * as Threads from 'node:worker_threads';
import type { MemoryGraph } from '../../../../src/stores/memory/memory-graph';
import { createSqliteMemoryGraph } from '../../../../src/stores/sqlite/memory';
import { add, episodic, scopeOf } from '../../../contract/support/memories';
import { eraseAll } from '../../../contract/memory-graph-erasure';
import { temporaryFolder } from '../../../contract/support/temporary-folder';

/** The requests to each thread, in order. */
const mockAsked: string[][] = [];

jest.mock('node:worker_threads', () => {
  const actual = jest.requireActual<typeof Threads>('node:worker_threads');
  class RecordedWorker extends actual.Worker {
    readonly #asked: string[] = [];
    constructor(...args: ConstructorParameters<typeof actual.Worker>) {
      super(...args);
      mockAsked.push(this.#asked);
    }
    override postMessage(request: { method: string }): void {
      this.#asked.push(request.method);
      super.postMessage(request);
    }
  }
  return { ...actual, Worker: RecordedWorker };
});

describe('the end of an erasure', () => {
  const folder = temporaryFolder();
  let graph: MemoryGraph;
  beforeEach(() => {
    mockAsked.length = 0;
    graph = createSqliteMemoryGraph({ path: folder.file('memory.db') });
  });
  afterEach(() => graph.close());
  afterAll(() => folder.remove());

  const rewrites = (): number => mockAsked.flat().filter((method) => method === 'rewrite').length;
  const begin = async (userId: string): Promise<void> => {
    await graph.beginErasure(userId);
    await eraseAll(graph, userId);
  };

  it('does not write the file anew for a user who had nothing', async () => {
    await add(graph, episodic());
    await begin('nobody');
    await graph.endErasure('nobody');
    await graph.endErasure('unheard of');
    expect(rewrites()).toBe(0);
  });

  it('writes it anew for one who had a memory, also where the process ended in between', async () => {
    await add(graph, episodic());
    await begin('ann');
    await graph.close();
    graph = createSqliteMemoryGraph({ path: folder.file('memory.db') });
    await begin('ann');
    await graph.endErasure('ann');
    expect(rewrites()).toBe(1);
    await add(graph, episodic());
  });

  it('shares the writing with those that end meanwhile', async () => {
    const users = Array.from({ length: 8 }, (_, index) => `user ${index}`);
    for (const userId of users) {
      await add(graph, episodic({ userId }));
      await begin(userId);
    }
    await Promise.all(users.map((userId) => graph.endErasure(userId)));
    expect(rewrites()).toBeGreaterThan(0);
    expect(rewrites()).toBeLessThanOrEqual(2);
    for (const userId of users) await add(graph, episodic({ userId }));
  });

  it('does not keep searches waiting', async () => {
    await begin('ann');
    await graph.searchText({ ...scopeOf('episodic'), text: 'park', limit: 1 });
    await add(graph, episodic({ userId: 'bob' }));
    await begin('bob');
    await graph.endErasure('bob');
    const [searching, upkeep] = ['searchText', 'rewrite'].map((method) =>
      mockAsked.find((asked) => asked.includes(method)),
    );
    expect(upkeep).toBeDefined();
    expect(upkeep).not.toBe(searching);
  });
});
