import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createDocumentStore } from '../../../src/factories/create-stores';
import type { DocumentStore } from '../../../src/stores/documents';
import { openDatabase } from '../../../src/stores/sqlite/database';
import { put } from '../../contract/support/writes';
import { temporaryFolder } from '../../contract/support/temporary-folder';

const UNAVAILABLE = { code: 'STORE_UNAVAILABLE', retryable: true };

describe('a SQLite document store that cannot be reached', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let path: string;
  let store: DocumentStore;
  beforeEach(() => {
    folder = temporaryFolder();
    path = folder.file('data/data.db');
    store = createDocumentStore({ path, busyTimeoutMs: 150 });
  });
  afterEach(async () => {
    await store.close();
    folder.remove();
  });

  const readBack = async (key: string): Promise<unknown> => (await store.get('c', key))?.value;

  it('gives up on a locked database within its timeout, and reads meanwhile', async () => {
    await store.write([put('k', 1)]);
    const holder = openDatabase(path, { busyTimeoutMs: 0 });
    holder.exec('BEGIN IMMEDIATE');
    // Its limit is the default of several seconds, so it still waits when the others have given up.
    const patient = createDocumentStore({ path });
    let isPatientWaiting = true;
    const late = patient
      .write([put('late', 1)])
      .finally(() => (isPatientWaiting = false))
      .catch((error: unknown) => error);
    for (const durability of ['full', 'process'] as const) {
      const started = performance.now();
      await expect(store.write([put('k', 2)], { durability })).rejects.toMatchObject({
        ...UNAVAILABLE,
        message: 'The data store is busy',
      });
      expect(performance.now() - started).toBeGreaterThanOrEqual(149);
    }
    expect(isPatientWaiting).toBe(true);
    await expect(store.removeExpired(0, 1)).rejects.toMatchObject(UNAVAILABLE);
    expect(await readBack('k')).toBe(1);
    holder.exec('ROLLBACK');
    holder.close();
    expect(await late).toBe(true);
    await patient.close();
    expect(await store.write([put('k', 3)])).toBe(true);
    expect(await readBack('k')).toBe(3);
  });

  it('waits for a lock without holding up the process', async () => {
    await store.write([put('k', 1)]);
    const holder = openDatabase(path, { busyTimeoutMs: 0 });
    holder.exec('BEGIN IMMEDIATE');
    const written = store.write([put('k', 2)]);
    await new Promise((resolve) => setImmediate(resolve));
    holder.exec('COMMIT');
    holder.close();
    expect(await written).toBe(true);
  });

  it('tells the log, and not the caller, which file and what happened', async () => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'not a database, but long enough to be taken for one. '.repeat(20));
    const error: unknown = await store.ping().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ ...UNAVAILABLE, message: 'The data store is damaged', details: undefined });
    expect((error as Error).cause).toMatchObject({ message: expect.stringContaining(`${path}: `) });
    expect((error as Error).cause).toMatchObject({ message: expect.stringContaining('SQLITE_NOTADB') });
  });

  it('works once the folder can be made', async () => {
    writeFileSync(dirname(path), 'a file in the place of the folder');
    await expect(store.ping()).rejects.toMatchObject(UNAVAILABLE);
    await expect(store.write([put('k', 1)])).rejects.toMatchObject(UNAVAILABLE);
    rmSync(dirname(path));
    expect(await store.write([put('k', 1)])).toBe(true);
    expect(await readBack('k')).toBe(1);
  });

  it('never acknowledges a write to a file that was taken away, and works when it is back', async () => {
    await store.write([put('k', 1)]);
    await store.write([put('k', 2)], { durability: 'process' });
    const away = folder.file('away');
    renameSync(dirname(path), away);
    await expect(store.write([put('k', 3)])).rejects.toMatchObject(UNAVAILABLE);
    await expect(store.write([put('k', 3)], { durability: 'process' })).rejects.toMatchObject(UNAVAILABLE);
    await expect(store.removeExpired(0, 1)).rejects.toMatchObject(UNAVAILABLE);
    await expect(store.ping()).rejects.toMatchObject(UNAVAILABLE);
    expect(existsSync(path)).toBe(false);
    renameSync(away, dirname(path));
    await store.ping();
    expect(await readBack('k')).toBe(2);
    expect(await store.write([put('k', 3)])).toBe(true);
  });

  it('starts no empty database in the place of one that was deleted', async () => {
    await store.write([put('k', 1)]);
    rmSync(dirname(path), { recursive: true });
    await expect(store.ping()).rejects.toMatchObject(UNAVAILABLE);
    await expect(store.get('c', 'k')).rejects.toMatchObject(UNAVAILABLE);
    expect(existsSync(path)).toBe(false);
  });

  it('goes on with the database that was put in the place of its own', async () => {
    await store.write([put('k', 'old')]);
    const backup = createDocumentStore({ path: folder.file('backup.db') });
    await backup.write([put('k', 'restored')]);
    await backup.close();
    copyFileSync(folder.file('backup.db'), folder.file('copy.db'));
    for (const side of ['', '-wal', '-shm']) rmSync(path + side, { force: true });
    renameSync(folder.file('copy.db'), path);
    await store.ping();
    expect(await readBack('k')).toBe('restored');
  });
});
