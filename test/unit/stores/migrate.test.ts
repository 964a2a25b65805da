import { join } from 'node:path';
import { createDocumentStore } from '../../../src/factories/create-stores';
import { openDatabase } from '../../../src/stores/sqlite/database';
import { migrate, type Migration } from '../../../src/stores/sqlite/migrate';
import { runTogether } from '../../contract/support/child-process';
import { temporaryFolder } from '../../contract/support/temporary-folder';
import { put } from '../../contract/support/writes';
import { MIGRATIONS } from '../../../src/stores/sqlite/sqlite-documents';

const MIGRATE = join(__dirname, 'children', 'migrate.ts');

const table = (name: string): Migration => ({
  name,
  up: (database) => void database.exec(`CREATE TABLE ${name} (x)`),
});

describe('migrations', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let path: string;
  beforeEach(() => {
    folder = temporaryFolder();
    path = folder.file('data.db');
  });
  afterEach(() => folder.remove());

  function inspect<T>(look: (database: ReturnType<typeof openDatabase>) => T): T {
    const database = openDatabase(path, { busyTimeoutMs: 1_000 });
    try {
      return look(database);
    } finally {
      database.close();
    }
  }

  const version = (): unknown => inspect((database) => database.pragma('user_version', { simple: true }));
  const tables = (): unknown =>
    inspect((database) => database.prepare('SELECT name FROM sqlite_schema ORDER BY name').pluck().all());

  it('run once each, in order, and later ones are added to earlier ones', () => {
    inspect((database) => migrate(database, [table('a')]));
    inspect((database) => migrate(database, [table('a'), table('b'), table('c')]));
    inspect((database) => migrate(database, [table('a'), table('b'), table('c')]));
    expect(version()).toBe(3);
    expect(tables()).toEqual(['a', 'b', 'c']);
  });

  it('leave nothing of one that fails, and go on from there the next time', () => {
    const failing: Migration = {
      name: 'failing',
      up: (database) => {
        database.exec('CREATE TABLE half (x)');
        throw new Error('no further');
      },
    };
    expect(() => inspect((database) => migrate(database, [table('a'), failing]))).toThrow('no further');
    expect(version()).toBe(1);
    expect(tables()).toEqual(['a']);
    inspect((database) => migrate(database, [table('a'), table('b')]));
    expect(version()).toBe(2);
  });

  it('refuse a database of newer code and say what to do', async () => {
    inspect((database) => database.pragma(`user_version = ${MIGRATIONS.length + 1}`));
    const store = createDocumentStore({ path });
    const refusal = {
      code: 'CONFIGURATION',
      message: expect.stringContaining('written by a newer holdfast'),
    };
    await expect(store.ping()).rejects.toMatchObject(refusal);
    await expect(store.get('c', 'k')).rejects.toMatchObject(refusal);
    await store.close();
    expect(tables()).toEqual([]);
  });

  it('of newer code leave a file usable for a process that used it before', async () => {
    const store = createDocumentStore({ path });
    await store.ping();
    inspect((database) => database.pragma(`user_version = ${MIGRATIONS.length + 1}`));
    // This opens another connection.
    expect(await store.write([put('k', 1)], { durability: 'process' })).toBe(true);
    expect(await store.get('c', 'k')).toMatchObject({ value: 1 });
    await store.close();
  });

  it('run once in all when several processes start on a new file together', async () => {
    const migrations = 5;
    const versions = await runTogether(
      MIGRATE,
      Array.from({ length: 6 }, () => ({ path, migrations })),
    );
    expect(versions).toEqual(Array.from({ length: 6 }, () => migrations));
    const log = inspect((database) =>
      database.prepare('SELECT migration FROM log ORDER BY rowid').pluck().all(),
    );
    expect(log).toEqual([0, 1, 2, 3, 4]);
  });
});
