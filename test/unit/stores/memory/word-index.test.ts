import { openDatabase, type SqliteDatabase } from '../../../../src/stores/sqlite/database';
import { keyToBytes } from '../../../../src/stores/sqlite/key-bytes';
import { migrate } from '../../../../src/stores/sqlite/migrate';
import { MEMORY_MIGRATIONS, prepareConnection } from '../../../../src/stores/sqlite/memory/schema';
import { SqliteMemoryGraph } from '../../../../src/stores/sqlite/memory/sqlite-memory-graph';
import { add, episodic, scopeOf } from '../../../contract/support/memories';
import { temporaryFolder } from '../../../contract/support/temporary-folder';

const folder = temporaryFolder();
afterAll(() => folder.remove());

let path: string;
let graphs: SqliteMemoryGraph[];
let databases: SqliteDatabase[];
let files = 0;
beforeEach(() => {
  path = folder.file(`${(files += 1)}.db`);
  graphs = [];
  databases = [];
});
afterEach(async () => {
  for (const graph of graphs) await graph.close();
  for (const database of databases) database.close();
});

function open(): SqliteMemoryGraph {
  const graph = new SqliteMemoryGraph({ path, busyTimeoutMs: 5_000, vectorsElsewhere: false });
  graphs.push(graph);
  return graph;
}

function openFile(): SqliteDatabase {
  const database = openDatabase(path, { busyTimeoutMs: 1_000 });
  prepareConnection(database);
  databases.push(database);
  return database;
}

/** Adds a memory as a build did that knew no parts. */
function addFormer(database: SqliteDatabase, text: string): string {
  const { id, timestamp } = episodic();
  database.prepare('INSERT OR IGNORE INTO owners (key, user) VALUES (1, ?)').run(keyToBytes('ann'));
  database
    .prepare(
      `INSERT INTO memories (id, owner, kind, timestamp, weight, text, body) VALUES (?, 1, 0, ?, 0.5, ?, '{}')`,
    )
    .run(id, timestamp, text);
  database.prepare('UPDATE owners SET episodic = episodic + 1').run();
  return id;
}

const foundBy = async (graph: SqliteMemoryGraph, text: string): Promise<string[]> =>
  (await graph.searchText({ ...scopeOf('episodic'), text, limit: 10 })).map(({ id }) => id);

async function renewAll(graph: SqliteMemoryGraph): Promise<number> {
  let renewed = 0;
  for (let after: string | undefined = ''; after !== undefined;) {
    const page = await graph.renewWords({ after, limit: 2 });
    renewed += page.renewed;
    ({ after } = page);
  }
  return renewed;
}

/** The terms of the full-text index. Throws if the index contradicts itself. */
function termsIn(database: SqliteDatabase): string[] {
  database.exec(`INSERT INTO memory_text (memory_text, rank) VALUES ('integrity-check', 0)`);
  database.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS temp.terms USING fts5vocab(main, memory_text, 'row')`);
  return database.prepare<[], string>('SELECT term FROM temp.terms').pluck().all();
}

test('a file of an earlier build finds its memories as before until their words are indexed again', async () => {
  const database = openFile();
  migrate(database, MEMORY_MIGRATIONS.slice(0, 3));
  const ids = ['我喜欢喝绿茶', 'ฉันชอบดื่มชาเขียว', 'green tea', 'Ёлка'].map((text) => addFormer(database, text));
  const graph = open();
  const queries = ['绿茶', 'ชาเขียว', 'tea', 'елка'];
  const allFound = async () => (await Promise.all(queries.map((query) => foundBy(graph, query)))).flat();
  expect(await allFound()).toEqual([ids[2]]);
  expect(await foundBy(graph, '我喜欢喝绿茶')).toEqual([ids[0]]);
  expect(await graph.isWordIndexCurrent()).toBe(false);
  expect(await renewAll(graph)).toBe(3);
  expect(await allFound()).toEqual(ids);
  expect(await graph.isWordIndexCurrent()).toBe(true);
  expect(await renewAll(graph)).toBe(0);
});

test('a new file has nothing to index again', async () => {
  const graph = open();
  await add(graph, episodic({ text: '绿茶' }));
  expect(await graph.isWordIndexCurrent()).toBe(true);
});

test('what other dictionaries have indexed is replaced, and leaves with its memory', async () => {
  const graph = open();
  const [one, other] = [episodic({ text: 'ชาเขียว' }), episodic({ text: '绿茶' })];
  for (const node of [one, other]) await add(graph, node);
  const database = openFile();
  database.exec(`UPDATE memory_parts SET parts = 'zqx ' || parts`);
  database.exec(`UPDATE word_index SET version = '1/0.0'`);
  expect(await graph.isWordIndexCurrent()).toBe(false);
  expect(await foundBy(graph, 'zqx')).toHaveLength(2);
  await graph.delete(other.id);
  expect(await renewAll(graph)).toBe(1);
  expect([await foundBy(graph, 'zqx'), await foundBy(graph, 'ชาเขียว')]).toEqual([[], [one.id]]);
  expect(termsIn(database).filter((term) => /zqx|绿/u.test(term))).toEqual([]);
});

test('a process of an earlier build leaves no parts of a text that it changes, and may delete it', async () => {
  const graph = open();
  const [changed, deleted] = [episodic({ text: '绿茶' }), episodic({ text: '红茶' })];
  for (const node of [changed, deleted]) await add(graph, node);
  const database = openFile();
  database.prepare(`UPDATE memories SET text = '咖啡' WHERE id = ?`).run(changed.id);
  database.prepare('DELETE FROM memories WHERE id = ?').run(deleted.id);
  expect(termsIn(database).filter((term) => term.includes('茶'))).toEqual([]);
  expect(database.prepare('SELECT count(*) FROM memory_parts').pluck().get()).toBe(0);
  expect(await renewAll(graph)).toBe(1);
  expect(await foundBy(graph, '咖')).toEqual([changed.id]);
});
