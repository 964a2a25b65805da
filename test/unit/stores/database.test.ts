import { statSync, writeFileSync } from 'node:fs';
import { openDatabase } from '../../../src/stores/sqlite/database';
import { temporaryFolder } from '../../contract/support/temporary-folder';

describe('openDatabase', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

  it('makes the file and its side files for the owner alone, and the folders above', () => {
    const path = folder.file('some/where/data.db');
    const database = openDatabase(path, { busyTimeoutMs: 100 });
    database.exec('CREATE TABLE t (x)');
    expect(modeOf(path)).toBe('600');
    expect(modeOf(`${path}-wal`)).toBe('600');
    expect(modeOf(`${path}-shm`)).toBe('600');
    expect(modeOf(folder.file('some/where'))).toBe('700');
    database.close();
  });

  it('works in WAL mode, with foreign keys, and an fsync a commit unless told otherwise', () => {
    const path = folder.file('data.db');
    const full = openDatabase(path, { busyTimeoutMs: 123 });
    const normal = openDatabase(path, { busyTimeoutMs: 0, synchronous: 'NORMAL' });
    const setting = (database: typeof full, name: string): unknown => database.pragma(name, { simple: true });
    expect(setting(full, 'journal_mode')).toBe('wal');
    expect(setting(full, 'foreign_keys')).toBe(1);
    expect(setting(full, 'busy_timeout')).toBe(123);
    expect(setting(full, 'synchronous')).toBe(2);
    expect(setting(normal, 'synchronous')).toBe(1);
    full.close();
    normal.close();
  });

  it('makes no file where one must exist', () => {
    const path = folder.file('data.db');
    const open = (): unknown => openDatabase(path, { busyTimeoutMs: 0, mustExist: true });
    expect(open).toThrow(expect.objectContaining({ code: 'STORE_UNAVAILABLE', retryable: true }));
    expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined();
  });

  it('throws on a file that is no database and leaves it as it is', () => {
    const path = folder.file('data.db');
    writeFileSync(path, 'this is a letter, and a long one at that: '.repeat(50));
    const before = statSync(path).size;
    expect(() => openDatabase(path, { busyTimeoutMs: 0 })).toThrow(
      expect.objectContaining({ code: 'SQLITE_NOTADB' }),
    );
    expect(statSync(path).size).toBe(before);
  });
});
