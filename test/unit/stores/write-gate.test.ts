import { SqliteMemoryGraph } from '../../../src/stores/sqlite/memory/sqlite-memory-graph';
import { createWriteGate, gatedWrites, GRAPH_WRITES } from '../../../src/stores/write-gate';

/** What a graph does without changing what it holds. */
const READS = [
  ...['get', 'getMany', 'related', 'relatedOfMany', 'neighbours', 'list', 'searchText', 'searchVectors'],
  ...['count', 'stats', 'listSessions', 'listUsers', 'vectorSpaces', 'listWithoutVector'],
  ...['listPendingVectors', 'listTombstones', 'isWordIndexCurrent', 'ping', 'close'],
];

test('every operation of a graph is known as a read or as a write', () => {
  const operations = Object.getOwnPropertyNames(SqliteMemoryGraph.prototype);
  expect(new Set(operations)).toEqual(new Set(['constructor', ...READS, ...GRAPH_WRITES]));
});

class Store {
  #written: string[] = [];

  add(text: string): Promise<number> {
    return Promise.resolve(this.#written.push(text));
  }

  fail(): Promise<void> {
    return Promise.reject(new Error('no room'));
  }

  all(): Promise<readonly string[]> {
    return Promise.resolve(this.#written);
  }
}

test('writes are counted while they run, and refused without having begun; reads are not', async () => {
  let mayWrite = true;
  const gate = createWriteGate(() => mayWrite);
  const store = gatedWrites(new Store(), ['add', 'fail'], gate);
  const writing = store.add('one');
  expect(gate.isIdle()).toBe(false);
  expect(await writing).toBe(1);
  await expect(store.fail()).rejects.toThrow('no room');
  expect(gate.isIdle()).toBe(true);
  mayWrite = false;
  await expect(store.add('two')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', retryable: true });
  expect([gate.isIdle(), await store.all()]).toEqual([true, ['one']]);
});
