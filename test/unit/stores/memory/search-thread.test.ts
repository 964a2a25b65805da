import type * as Threads from 'node:worker_threads';
import type { MemoryGraph } from '../../../../src/stores/memory/memory-graph';
import { openDatabase } from '../../../../src/stores/sqlite/database';
import { createSqliteMemoryGraph } from '../../../../src/stores/sqlite/memory';
import { add, episodic, scopeOf } from '../../../contract/support/memories';
import { temporaryFolder } from '../../../contract/support/temporary-folder';
import { waitFor } from '../../../support/wait';

const mockStarted: Threads.Worker[] = [];

jest.mock('node:worker_threads', () => {
  const actual = jest.requireActual<typeof Threads>('node:worker_threads');
  class RecordedWorker extends actual.Worker {
    constructor(...args: ConstructorParameters<typeof actual.Worker>) {
      super(...args);
      mockStarted.push(this);
    }
  }
  return { ...actual, Worker: RecordedWorker };
});

describe('the thread that searches memories', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let graph: MemoryGraph;
  beforeEach(async () => {
    mockStarted.length = 0;
    folder = temporaryFolder();
    graph = createSqliteMemoryGraph({ path: folder.file('memory.db') });
    await add(graph, episodic());
  });
  afterEach(async () => {
    await graph.close();
    folder.remove();
  });

  const search = (): Promise<unknown[]> =>
    graph.searchText({ ...scopeOf('episodic'), text: 'park', limit: 5 });
  const unavailable = { code: 'STORE_UNAVAILABLE', retryable: true };

  it('starts with the first search, and is used for all', async () => {
    expect(mockStarted).toHaveLength(0);
    await Promise.all([search(), search(), graph.stats('ann')]);
    expect(await search()).toHaveLength(1);
    expect(mockStarted).toHaveLength(1);
  });

  it('fails what it was asked when it dies, and is replaced', async () => {
    await search();
    // Requests never reach the thread, so no answer comes before its end.
    jest.spyOn(mockStarted[0] as Threads.Worker, 'postMessage').mockReturnValue(undefined);
    const [asked, alsoAsked] = [search(), graph.count(scopeOf('episodic', { filters: { from: 0 } }))];
    const failures = [asked, alsoAsked].map((answer) => expect(answer).rejects.toMatchObject(unavailable));
    await Promise.resolve();
    await mockStarted[0]?.terminate();
    await Promise.all(failures);
    expect(await search()).toHaveLength(1);
    expect(mockStarted).toHaveLength(2);
  });

  it('is replaced after it died without work', async () => {
    await search();
    await mockStarted[0]?.terminate();
    expect(await search()).toHaveLength(1);
    expect(mockStarted).toHaveLength(2);
  });

  it('ends with the graph, and with it what it was asked', async () => {
    const asked = expect(search()).rejects.toMatchObject(unavailable);
    await Promise.resolve();
    await graph.close();
    await asked;
    expect(mockStarted.every(({ threadId }) => threadId === -1)).toBe(true);
  });

  it('keeps the process alive until it has ended, also where an answer comes late', async () => {
    await search();
    const thread = mockStarted[0];
    const unref = jest.spyOn(thread as Threads.Worker, 'unref');
    const closed = graph.close();
    thread?.emit('message', { number: 1, value: [] });
    expect(unref).not.toHaveBeenCalled();
    await closed;
  });

  it('tells mistakes in the code as they are', async () => {
    const { id: spaceId } = await graph.pinVectorSpace('test', 8);
    const query = { ...scopeOf('episodic'), spaceId, vector: new Float32Array(3), limit: 1 };
    const error: unknown = await graph.searchVectors(query).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RangeError);
    expect((error as Error).message).toBe('The vector has 3 dimensions, but its space has 8');
  });

  it('takes away what a dropped vector space left', async () => {
    const values = new Float32Array(8).fill(Math.sqrt(1 / 8));
    const next = await graph.openNextVectorSpace('first', 8);
    for (let index = 0; index < 450; index += 1) {
      const node = episodic();
      await add(graph, node);
      await graph.putVectors([{ id: node.id, revision: 1, vector: { spaceId: next.id, values } }]);
    }
    await graph.openNextVectorSpace('second', 8);
    const database = openDatabase(folder.file('memory.db'), { busyTimeoutMs: 100 });
    const left = (table: string): unknown => database.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
    await waitFor(() => left('vectors') === 0 && left('spaces') === 1, {
      what: 'the dropped space to be empty',
    });
    expect(left('codes')).toBe(0);
    database.close();
  });
});
