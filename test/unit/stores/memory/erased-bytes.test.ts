import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createSqliteMemoryGraph } from '../../../../src/stores/sqlite/memory';
import { openDatabase } from '../../../../src/stores/sqlite/database';
import { prepareConnection } from '../../../../src/stores/sqlite/memory/schema';
import { signCode } from '../../../../src/stores/sqlite/memory/sign-code';
import { add, episodic, pinSpace, semantic } from '../../../contract/support/memories';
import { eraseAll } from '../../../contract/memory-graph-erasure';
import { temporaryFolder } from '../../../contract/support/temporary-folder';

/** Words that no other memory has, that stemming does not change, and that begin like no other word here. */
const MARKERS = ['zqxuser', 'qvjsession', 'xkwlabel', 'jzvbody', 'vxqtext', 'kqzchanged'] as const;
const [USER, SESSION, LABEL, BODY, TEXT, CHANGED] = MARKERS;
/** Texts that are found by parts. Pairs, words and characters of them are in no other text. */
const PARTS = ['髙橋樣', 'น้ำมะขาม'];
const PIECES = ['髙', '髙橋', '橋樣', '樣', 'มะขาม'];
/** The first bytes of a vector that differs from all others. */
const VECTOR = new Float32Array([0.123456, 0.654321, 0.345678, 0.234567, 0.1, 0.2, 0.3, 0.48]);

describe('the file of a SQLite memory graph', () => {
  const folder = temporaryFolder();
  afterAll(() => folder.remove());

  const found = (needle: string | Buffer): string[] =>
    readdirSync(folder.path).filter((name) => readFileSync(join(folder.path, name)).includes(needle));

  it('has no byte of a user who was erased, and all of the others', async () => {
    const path = folder.file('memory.db');
    const graph = createSqliteMemoryGraph({ path });
    const { spaceId } = (await pinSpace(graph))(0);
    const insert = async (userId: string, index: number): Promise<void> => {
      const marked = userId === USER;
      const fields = {
        userId,
        text: `${marked ? TEXT : 'plain'}${index} with some more words ${marked ? PARTS.join(' ') : '我喜欢喝绿茶'} ${'around it '.repeat(index % 40)}`,
        labels: [marked ? `${LABEL}${index % 5}` : 'label'],
        body: { content: marked ? `${BODY} `.repeat(1 + (index % 900)) : 'body' },
      };
      const node =
        index % 2 === 0 ? semantic(fields) : episodic({ ...fields, sessionId: `${SESSION}${index % 3}` });
      const stays = { ...node, sessionId: node.sessionId && (marked ? node.sessionId : 's') };
      await add(graph, stays, {
        vector: { spaceId, values: marked ? VECTOR : new Float32Array(8).fill(0.3) },
      });
      if (index % 7 === 0)
        await graph.update(node.id, { text: `${marked ? CHANGED + PARTS[0] : 'other绿茶'} text` });
      if (index % 11 === 0) await graph.delete(node.id);
    };
    for (let index = 0; index < 400; index += 1) for (const user of [USER, 'bob']) await insert(user, index);
    const traces = [...MARKERS, ...PARTS, ...PIECES, Buffer.from(VECTOR.buffer), signCode(VECTOR)];
    for (const needle of traces) expect(found(needle)).not.toEqual([]);

    await graph.beginErasure(USER);
    await eraseAll(graph, USER, 60);
    await graph.endErasure(USER);
    for (const needle of traces) expect([needle, found(needle)]).toEqual([needle, []]);
    expect(
      await graph.searchText({ userId: 'bob', kind: 'episodic', text: 'plain1', limit: 5 }),
    ).toHaveLength(1);
    await graph.close();

    const database = openDatabase(path, { busyTimeoutMs: 0 });
    prepareConnection(database);
    database.exec(`CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, memory_text, 'row')`);
    const words = database.prepare<[], string>('SELECT term FROM temp.words').pluck().all();
    expect(words).toEqual(expect.arrayContaining(['plain1', '绿茶']));
    for (const marker of MARKERS) expect(words.filter((word) => word.startsWith(marker))).toEqual([]);
    for (const piece of PIECES) expect(words.filter((word) => word.includes(piece))).toEqual([]);
    expect(database.prepare('SELECT count(*) FROM owners').pluck().get()).toBe(1);
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    database.close();
  });
});
