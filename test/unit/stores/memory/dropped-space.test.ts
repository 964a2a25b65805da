import type { MemoryGraph } from '../../../../src/stores/memory/memory-graph';
import type { NewMemoryNode } from '../../../../src/stores/memory/node';
import { openDatabase } from '../../../../src/stores/sqlite/database';
import { createSqliteMemoryGraph } from '../../../../src/stores/sqlite/memory';
import { MemoryStatements } from '../../../../src/stores/sqlite/memory/memory-statements';
import { MEMORY_MIGRATIONS, prepareConnection } from '../../../../src/stores/sqlite/memory/schema';
import { SqliteFile } from '../../../../src/stores/sqlite/sqlite-file';
import { atAngle, semantic } from '../../../contract/support/memories';
import { eraseAll } from '../../../contract/memory-graph-erasure';
import { temporaryFolder } from '../../../contract/support/temporary-folder';
import { waitFor } from '../../../support/wait';

const USERS = 12;
const MEMORIES = 60;
/** The number of vectors that one step removes, which is more than a user has. */
const STEP = 7;

describe('a vector space that is dropped and taken away in steps', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let path: string;
  let file: SqliteFile<MemoryStatements>;
  let nodes: NewMemoryNode[];
  let spaceId: number;

  beforeEach(async () => {
    folder = temporaryFolder();
    path = folder.file('memory.db');
    file = new SqliteFile({
      path,
      busyTimeoutMs: 1_000,
      migrations: MEMORY_MIGRATIONS,
      onOpen: prepareConnection,
      prepare: (database) => new MemoryStatements(database, { vectorsElsewhere: false }),
    });
    nodes = Array.from({ length: MEMORIES }, (_, index) => semantic({ userId: `user ${index % USERS}` }));
    await change((statements) => {
      const former = statements.spaces.pin('first', 8).id;
      for (const node of nodes) {
        statements.insert({ node, vector: { spaceId: former, values: atAngle(0) } }, {});
      }
      spaceId = statements.spaces.openNext('second', 8).id;
      for (const { id } of nodes) {
        statements.putVector({ id, revision: 1, vector: { spaceId, values: atAngle(1) } });
      }
      expect(statements.spaces.switchTo(spaceId, statements.owners.total())).toBe(true);
    });
  });
  afterEach(() => {
    file.close();
    folder.remove();
  });
  const change = <T>(make: (statements: MemoryStatements) => T): Promise<T> =>
    file.write((statements, database) => database.transaction(() => make(statements)).immediate());
  const removeSome = (): Promise<boolean> => change(({ dropped }) => dropped.removeSome(STEP));

  it('lets memories be changed, deleted and erased after each of them', async () => {
    let step = 0;
    while (await removeSome()) {
      const erased = `user ${USERS - 1 - step}`;
      const [changed, weighed, deleted] = nodes.splice(0, 3).map(({ id }) => id) as [string, string, string];
      await change((statements) => {
        expect(statements.update(changed, { text: `step ${step}` }, {})).toMatchObject({ revision: 2 });
        expect(statements.update(weighed, { weight: 0.9 }, {})).toMatchObject({ weight: 0.9 });
        expect(statements.delete(deleted, {})).toMatchObject({ id: deleted });
        expect(statements.eraseSome(erased, 100).semantic).toBeGreaterThan(0);
      });
      nodes = nodes.filter(({ userId }) => userId !== erased);
      step += 1;
    }
    expect(step).toBeGreaterThan(4);
  });

  it('goes on where the process ended, when the file is opened', async () => {
    await removeSome();
    await removeSome();
    file.close();
    const graph = createSqliteMemoryGraph({ path });
    await graph.ping();
    await cleared();
    await graph.close();
  });

  it('lets memories be changed, deleted and erased after the process ended between two of them', async () => {
    await removeSome();
    file.close();
    const graph: MemoryGraph = createSqliteMemoryGraph({ path });
    const vector = { spaceId, values: atAngle(2) };
    for (const { id } of nodes.slice(0, 12)) await graph.update(id, { text: 'changed', vector });
    for (const { id } of nodes.slice(12, 24)) await graph.update(id, { weight: 1 });
    for (const { id } of nodes.slice(24, 36)) expect(await graph.delete(id)).toBeDefined();
    await graph.beginErasure('user 1');
    expect(await eraseAll(graph, 'user 1', 60)).toMatchObject({ semantic: 4 });
    await graph.endErasure('user 1');
    await cleared();
    const query = { userId: 'user 0', kind: 'semantic', spaceId, vector: atAngle(2), limit: 9 } as const;
    expect(await graph.searchVectors(query)).toHaveLength(4);
    await graph.close();
  });

  /** Waits until the file has the codes and vectors of the space in use and no others. */
  async function cleared(): Promise<void> {
    const database = openDatabase(path, { busyTimeoutMs: 100 });
    const count = (from: string): unknown => database.prepare(`SELECT count(*) FROM ${from}`).pluck().get();
    await waitFor(() => count('spaces') === 1, { what: 'the dropped space to be gone' });
    expect(count(`vectors WHERE space <> ${spaceId}`)).toBe(0);
    expect(count(`codes WHERE space <> ${spaceId}`)).toBe(0);
    expect(count('vectors')).toBe(count('memories'));
    expect(count('vectors JOIN codes ON vectors.key = vector')).toBe(count('vectors'));
    database.close();
  }
});
