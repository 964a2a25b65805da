import { join } from 'node:path';
import type { MemoryGraph } from '../../src/stores/memory/memory-graph';
import { createSqliteMemoryGraph } from '../../src/stores/sqlite/memory';
import { describeMemoryGraph } from '../contract/memory-graph';
import { temporaryFolder } from '../contract/support/temporary-folder';

describeMemoryGraph('SQLite', () => {
  const folder = temporaryFolder();
  const settings = { path: folder.file('memory.db'), busyTimeoutMs: 5_000 };
  const graphs: MemoryGraph[] = [];
  return Promise.resolve({
    address: {
      module: join(__dirname, '../../src/stores/sqlite/memory/index.ts'),
      factory: 'createSqliteMemoryGraph',
      settings,
    },
    connect: (options) => {
      const graph = createSqliteMemoryGraph({ ...settings, ...options });
      graphs.push(graph);
      return graph;
    },
    dispose: async () => {
      for (const graph of graphs) await graph.close();
      folder.remove();
    },
  });
});
