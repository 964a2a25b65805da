import { join } from 'node:path';
import { createDocumentStore } from '../../../src/stores/create-document-store';
import type { DocumentStore, StoredDocument } from '../../../src/stores/documents';
import { createToolStatistics } from '../../../src/tools/statistics';
import { runTogether, startChild } from '../../contract/support/child-process';
import { testStores } from './fixtures';

const RECORD_OUTCOMES = join(__dirname, 'children', 'record-outcomes.ts');

describe('tool statistics of several processes', () => {
  let stores: ReturnType<typeof testStores>;
  beforeEach(() => {
    stores = testStores();
  });
  afterEach(() => stores.dispose());

  const statistics = (documents: DocumentStore): ReturnType<typeof createToolStatistics> =>
    createToolStatistics({ documents, retentionMs: 60_000 });

  it('count each call once, also those that every process records', async () => {
    const calls = 150;
    await runTogether(
      RECORD_OUTCOMES,
      [0, 1, 2].map((process) => ({ path: stores.path, process, calls, concurrency: 4 })),
    );
    expect(await statistics(stores.connect()).read()).toEqual({
      totalExecutions: 4 * calls,
      successfulExecutions: 2 * calls,
      failedExecutions: 2 * calls,
      averageExecutionTime: 2,
      mostUsedTool: 'shared',
      lastExecution: '2026-01-01T00:00:00.000Z',
    });
  });

  it('have every acknowledged call of a process that was killed, and count what is there', async () => {
    const child = startChild(RECORD_OUTCOMES, {
      path: stores.path,
      process: 0,
      calls: 1_000_000,
      concurrency: 8,
      print: true,
    });
    await child.ready();
    child.go();
    const acknowledged: string[] = [];
    while (acknowledged.length < 500) acknowledged.push((await child.nextLine()) ?? '');
    await child.kill();

    const documents = createDocumentStore({ path: stores.path });
    const keys = new Set<string>();
    for (let page: StoredDocument[] = []; ;) {
      page = await documents.list('tool-outcomes', { after: page.at(-1)?.key });
      if (page.length === 0) break;
      for (const { key } of page) keys.add(key);
    }
    for (const key of acknowledged) expect(keys).toContain(key);
    expect((await statistics(documents).read()).totalExecutions).toBe(keys.size);
    await documents.close();
  });
});
