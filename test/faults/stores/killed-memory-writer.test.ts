import { join } from 'node:path';
import { createSqliteMemoryGraph } from '../../../src/stores/sqlite/memory';
import { openDatabase } from '../../../src/stores/sqlite/database';
import { startChild } from '../../contract/support/child-process';
import { add, chain, episodic, pinSpace, scopeOf } from '../../contract/support/memories';
import { temporaryFolder } from '../../contract/support/temporary-folder';

const INSERT_FOREVER = join(__dirname, 'children', 'insert-forever.ts');

describe('a process killed while it writes memories', () => {
  const folder = temporaryFolder();
  afterAll(() => folder.remove());

  it.each([15, 150])('loses nothing it acknowledged, after %i inserts', async (inserts) => {
    const path = folder.file(`${inserts}.db`);
    const child = startChild(INSERT_FOREVER, { path });
    const acknowledged: string[] = [];
    while (acknowledged.length < inserts) acknowledged.push((await child.nextLine()) ?? '');
    await child.kill();
    for (let line = await child.nextLine(); line !== undefined; line = await child.nextLine()) {
      if (line.length === 26) acknowledged.push(line);
    }

    const graph = createSqliteMemoryGraph({ path });
    expect((await graph.getMany(acknowledged)).size).toBe(acknowledged.length);
    const order = await chain(graph, acknowledged[0] ?? '');
    // One more write may be stored and not yet acknowledged, but never half of it.
    expect(order.length - acknowledged.length).toBeLessThanOrEqual(1);
    expect(order).toEqual(expect.arrayContaining(acknowledged));
    expect(await graph.count(scopeOf('episodic'))).toBe(order.length);
    const vector = await pinSpace(graph);
    const { spaceId, values } = vector(0);
    const query = { ...scopeOf('episodic'), limit: 1_000 };
    expect(await graph.searchVectors({ ...query, spaceId, vector: values })).toHaveLength(order.length);
    expect(await graph.searchText({ ...query, text: 'walk' })).toHaveLength(order.length);
    await add(graph, episodic());
    await graph.close();

    const database = openDatabase(path, { busyTimeoutMs: 0 });
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    database.close();
  });
});
