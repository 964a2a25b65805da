import { existsSync } from 'node:fs';
import { temporaryFolder } from '../../contract/support/temporary-folder';
import { createMemoryGraph } from '../../../src/factories/create-stores';

describe('the memory graph of the settings', () => {
  it('is a file in DATA_DIR where no server is named', async () => {
    const folder = temporaryFolder();
    const path = folder.file('memory.db');
    const graph = createMemoryGraph({ DATA_DIR: folder.file('.'), neo4j: undefined });
    expect(existsSync(path)).toBe(false);
    await graph.ping();
    expect(existsSync(path)).toBe(true);
    await graph.close();
    folder.remove();
  });

  it('is that of the Neo4j server where one is named', async () => {
    const folder = temporaryFolder();
    const neo4j = { uri: 'bolt://127.0.0.1:1', username: 'neo4j', password: '' };
    const graph = createMemoryGraph({ DATA_DIR: folder.file('.'), neo4j });
    await expect(graph.ping()).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      cause: { message: expect.stringContaining(neo4j.uri) },
    });
    expect(existsSync(folder.file('memory.db'))).toBe(false);
    await graph.close();
    folder.remove();
  });
});
