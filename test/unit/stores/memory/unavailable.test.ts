import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { MemoryGraph } from '../../../../src/stores/memory/memory-graph';
import { openDatabase } from '../../../../src/stores/sqlite/database';
import { createSqliteMemoryGraph } from '../../../../src/stores/sqlite/memory';
import { add, episodic, scopeOf } from '../../../contract/support/memories';
import { temporaryFolder } from '../../../contract/support/temporary-folder';

const UNAVAILABLE = { code: 'STORE_UNAVAILABLE', retryable: true };

describe('a SQLite memory graph that cannot be reached', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let path: string;
  let graph: MemoryGraph;
  beforeEach(() => {
    folder = temporaryFolder();
    path = folder.file('data/memory.db');
    graph = createSqliteMemoryGraph({ path, busyTimeoutMs: 150 });
  });
  afterEach(async () => {
    await graph.close();
    folder.remove();
  });

  const search = (): Promise<unknown[]> =>
    graph.searchText({ ...scopeOf('episodic'), text: 'park', limit: 5 });

  it('gives up on a locked file within its timeout, and reads and searches meanwhile', async () => {
    const node = episodic();
    await add(graph, node);
    const holder = openDatabase(path, { busyTimeoutMs: 0 });
    holder.exec('BEGIN IMMEDIATE');
    const started = performance.now();
    const busy = { ...UNAVAILABLE, message: 'The data store is busy' };
    await expect(add(graph, episodic())).rejects.toMatchObject(busy);
    expect(performance.now() - started).toBeGreaterThanOrEqual(149);
    await expect(graph.update(node.id, { weight: 1 })).rejects.toMatchObject(busy);
    expect(await graph.get(node.id)).toMatchObject({ weight: 0.5 });
    expect(await search()).toHaveLength(1);
    holder.exec('ROLLBACK');
    holder.close();
    expect(await graph.update(node.id, { weight: 1 })).toMatchObject({ weight: 1 });
  });

  it('never acknowledges a write to a file that was taken away, and works when it is back', async () => {
    const node = episodic();
    await add(graph, node);
    expect(await search()).toHaveLength(1);
    const away = folder.file('away');
    renameSync(dirname(path), away);
    await expect(add(graph, episodic())).rejects.toMatchObject(UNAVAILABLE);
    await expect(graph.ping()).rejects.toMatchObject(UNAVAILABLE);
    await expect(search()).rejects.toMatchObject(UNAVAILABLE);
    expect(existsSync(path)).toBe(false);
    renameSync(away, dirname(path));
    await graph.ping();
    expect(await graph.get(node.id)).toMatchObject(node);
    expect(await search()).toHaveLength(1);
    await add(graph, episodic());
    expect(await search()).toHaveLength(2);
  });

  it('starts no empty file in the place of one that was deleted', async () => {
    await add(graph, episodic());
    await search();
    rmSync(dirname(path), { recursive: true });
    await expect(graph.ping()).rejects.toMatchObject(UNAVAILABLE);
    await expect(search()).rejects.toMatchObject(UNAVAILABLE);
    expect(existsSync(path)).toBe(false);
  });

  it('tells the log, and not the caller, which file is damaged', async () => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'not a database, but long enough to be taken for one. '.repeat(20));
    const error: unknown = await search().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ ...UNAVAILABLE, message: 'The data store is damaged', details: undefined });
    expect((error as Error).cause).toMatchObject({ message: expect.stringContaining(path) });
  });

  it('leaves alone what a newer holdfast wrote', async () => {
    await graph.ping();
    await graph.close();
    const database = openDatabase(path, { busyTimeoutMs: 0 });
    database.pragma('user_version = 1000');
    database.close();
    const older = createSqliteMemoryGraph({ path });
    await expect(older.ping()).rejects.toMatchObject({ code: 'CONFIGURATION' });
    await expect(older.get('x')).rejects.toMatchObject({ code: 'CONFIGURATION' });
    await older.close();
  });

  it('searches in a file that a newer holdfast migrated since it was opened', async () => {
    await add(graph, episodic());
    const database = openDatabase(path, { busyTimeoutMs: 0 });
    database.pragma('user_version = 1000');
    database.close();
    // The first search starts the thread, which has its own connection.
    expect(await search()).toHaveLength(1);
  });

  it('is readable by its owner alone', async () => {
    await add(graph, episodic());
    for (const side of ['', '-wal', '-shm']) expect(statSync(path + side).mode & 0o077).toBe(0);
  });
});
