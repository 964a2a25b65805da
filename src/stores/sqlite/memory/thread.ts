/** The entry of the threads for long operations on memories. Each answers one request at a time, on a separate connection. */
import { parentPort, workerData } from 'node:worker_threads';
import { SqliteFile } from '../sqlite-file';
import { DroppedSpaces } from './dropped-spaces';
import { MEMORY_MIGRATIONS, prepareConnection } from './schema';
import { MemorySearches } from './searches';
import {
  type ThreadData,
  type ThreadMethods,
  type ThreadReply,
  type ThreadRequest,
  toFailure,
} from './thread-protocol';
import { emptyLog, rewrite } from './traces';
import { WordIndex } from './word-index';

const { path, busyTimeoutMs } = workerData as ThreadData;

const file = new SqliteFile<ThreadMethods>({
  path,
  busyTimeoutMs,
  migrations: MEMORY_MIGRATIONS,
  onOpen: prepareConnection,
  mustExist: true,
  // The process has opened the file before it calls the thread.
  mayBeNewer: true,
  prepare: (database) => {
    const searches = new MemorySearches(database);
    const dropped = new DroppedSpaces(database);
    const words = new WordIndex(database);
    const inSnapshot = <Args extends unknown[], T>(read: (...args: Args) => T) => database.transaction(read);
    return {
      list: inSnapshot(searches.list.bind(searches)),
      count: inSnapshot(searches.count.bind(searches)),
      searchText: inSnapshot(searches.searchText.bind(searches)),
      searchVectors: inSnapshot(searches.searchVectors.bind(searches)),
      stats: inSnapshot(searches.stats.bind(searches)),
      listSessions: inSnapshot(searches.listSessions.bind(searches)),
      listWithoutVector: inSnapshot(searches.listWithoutVector.bind(searches)),
      removeSomeDropped: database.transaction(dropped.removeSome.bind(dropped)).immediate,
      renewWords: database.transaction(words.renew.bind(words)).immediate,
      rewrite: () => rewrite(database),
      emptyLog: () => emptyLog(database),
    };
  },
});

async function answer({ number, method, args }: ThreadRequest): Promise<ThreadReply> {
  try {
    // A read runs by `write` too: it checks whether the file was replaced, while `read` would keep reading the old one.
    const value = await file.write((methods) =>
      (methods[method] as (...all: readonly unknown[]) => unknown)(...args),
    );
    return { number, value };
  } catch (error) {
    return { number, failure: toFailure(error) };
  }
}

parentPort?.on('message', (request: ThreadRequest) => {
  void answer(request).then((reply) => parentPort?.postMessage(reply));
});
