import { createSqliteMemoryGraph } from '../../src/stores/sqlite/memory';
import { describeConsolidations } from '../contract/consolidations';
import { openSqliteDocuments } from '../contract/support/open-documents';
import { temporaryFolder } from '../contract/support/temporary-folder';

describeConsolidations('SQLite', () => {
  const folder = temporaryFolder();
  const graph = createSqliteMemoryGraph({ path: folder.file('memory.db') });
  const documents = openSqliteDocuments();
  return Promise.resolve({
    graph,
    documents: documents.connect(),
    async dispose() {
      await graph.close();
      await documents.dispose();
      folder.remove();
    },
  });
});
