import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { createBackup } from '../../../src/backup/create-backup';
import { restoreBackup } from '../../../src/backup/restore-backup';
import { makeTempDir, type TempDir } from '../../support/temp-dir';

let dir: TempDir;
let dataDir: string;
let target: string;
let restored: string;

beforeEach(() => {
  dir = makeTempDir();
  dataDir = join(dir.path, 'data');
  target = join(dir.path, 'backups', 'one');
  restored = join(dir.path, 'restored');
});

afterEach(() => dir.remove());

function put(path: string, content: string): void {
  mkdirSync(dirname(join(dataDir, path)), { recursive: true });
  writeFileSync(join(dataDir, path), content, { mode: 0o600 });
}

function openDatabase(name: string): Database.Database {
  mkdirSync(dataDir, { recursive: true });
  const database = new Database(join(dataDir, name));
  database.pragma('journal_mode = WAL');
  database.exec('CREATE TABLE IF NOT EXISTS kept (word TEXT)');
  return database;
}

function wordsIn(path: string): string[] {
  const database = new Database(path, { fileMustExist: true });
  const words = database.prepare<[], { word: string }>('SELECT word FROM kept ORDER BY rowid').all();
  database.close();
  return words.map(({ word }) => word);
}

const backUp = () =>
  createBackup({
    dataDir,
    target,
    engineDatabase: 'temporal.db',
    engineVersion: 'temporal.version',
    databases: ['holdfast.db', 'memory.db'],
  });
const restore = () => restoreBackup({ source: target, dataDir: restored });

test('what is in the write-ahead log is in the copy, and what is not committed is not', async () => {
  const database = openDatabase('holdfast.db');
  database.prepare('INSERT INTO kept VALUES (?)').run('committed');
  database.exec('BEGIN IMMEDIATE');
  database.prepare('INSERT INTO kept VALUES (?)').run('open');

  await backUp();
  await restore();

  expect(wordsIn(join(restored, 'holdfast.db'))).toEqual(['committed']);
  expect(statSync(join(restored, 'holdfast.db')).mode & 0o777).toBe(0o600);
  database.exec('COMMIT');
  expect(wordsIn(join(dataDir, 'holdfast.db'))).toEqual(['committed', 'open']);
  database.close();
});

test('files come back as they were, readable by their owner alone; drafts, uploads and models do not', async () => {
  put('payloads/a/b/workflow-id', 'run');
  put('payloads/a/b/value', 'large');
  put('payloads/a/b/value.1.tmp', 'half');
  put('imports/one/rows.ndjson', '{}');
  put('imports/one/run.json', '{}');
  put('imports/one/progress.json', '{"state":"running"}');
  put('imports/one/progress.json.01ABC', 'half');
  put('imports/upload-2', 'arriving');
  put('files/notes.txt', 'notes');
  put('uploads/users/a-pseudonym/one', 'sent');
  put('models/weights', 'downloaded');
  put('temporal.pid', '{}');
  put('secrets.key', 'key');

  const { files } = await backUp();
  await restore();

  expect(files.map(({ path }) => path).sort()).toEqual([
    'files/notes.txt',
    'imports/one/progress.json',
    'imports/one/rows.ndjson',
    'imports/one/run.json',
    'payloads/a/b/value',
    'payloads/a/b/workflow-id',
    'secrets.key',
  ]);
  for (const { path } of files) {
    expect(readFileSync(join(restored, path), 'utf8')).toBe(readFileSync(join(dataDir, path), 'utf8'));
  }
  expect(statSync(join(restored, 'secrets.key')).mode & 0o777).toBe(0o600);
  expect(statSync(target).mode & 0o777).toBe(0o700);
  expect(readdirSync(restored).sort()).toEqual(['files', 'imports', 'payloads', 'secrets.key']);
});

test('the engine is copied before what its runs have written', async () => {
  for (const name of ['holdfast.db', 'memory.db', 'temporal.db']) openDatabase(name).close();
  put('payloads/a/b/value', 'large');
  put('temporal.version', '1.29.1');
  const { files } = await backUp();
  expect(files.map(({ path }) => path)).toEqual([
    'temporal.db',
    'temporal.version',
    'payloads/a/b/value',
    'holdfast.db',
    'memory.db',
  ]);
});

test('the databases and imports of all tenants come back', async () => {
  put('tenants/acme/upload.tmp', 'not a database');
  put('imports/users/a-pseudonym/one/rows.ndjson', '{}');
  put('imports/users/a-pseudonym/uploads/two', 'arriving');
  for (const path of ['imports/tenants/acme/one/run.json', 'imports/tenants/acme/one/rows.ndjson'])
    put(path, '{}');
  put('imports/tenants/acme/uploads/two', 'arriving');
  mkdirSync(join(dataDir, 'tenants', 'empty'));
  mkdirSync(join(dataDir, 'tenants', 'globex'));
  const tenants = ['tenants/acme/holdfast.db', 'tenants/globex/memory.db'];
  const open = ['holdfast.db', ...tenants].map((path) => {
    const database = openDatabase(path);
    database.prepare('INSERT INTO kept VALUES (?)').run(path);
    return database;
  });

  const { files } = await backUp();
  await restore();
  for (const database of open) database.close();

  expect(files.map(({ path }) => path).sort()).toEqual([
    'holdfast.db',
    'imports/tenants/acme/one/rows.ndjson',
    'imports/tenants/acme/one/run.json',
    'imports/users/a-pseudonym/one/rows.ndjson',
    ...tenants,
  ]);
  for (const path of tenants) {
    expect(wordsIn(join(restored, path))).toEqual([path]);
    expect(statSync(dirname(join(restored, path))).mode & 0o777).toBe(0o700);
  }
});

test('a backup is refused where its folder exists, and if there is nothing; none is left', async () => {
  await expect(backUp()).rejects.toThrow(`There is no data in ${dataDir}`);
  expect(readdirSync(dirname(target))).toEqual([]);
  put('secrets.key', 'key');
  mkdirSync(target);
  await expect(backUp()).rejects.toThrow(`${target} already exists`);
});

test('a place that cannot be written is one sentence that says which', async () => {
  put('secrets.key', 'key');
  const file = join(dataDir, 'secrets.key');
  const inside = join(file, 'one');
  const whole = await backUp();
  expect(whole.files).toHaveLength(1);
  await expect(createBackup({ dataDir, target: inside, databases: [] })).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    message: `The backup ${inside} was not made`,
    cause: expect.objectContaining({ code: 'ENOTDIR' }),
  });
  await expect(restoreBackup({ source: target, dataDir: inside })).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    message: `${target} was not restored into ${inside}`,
    cause: expect.objectContaining({ code: 'ENOTDIR' }),
  });
});

test('a damaged database is told and leaves no backup', async () => {
  const database = openDatabase('holdfast.db');
  for (let n = 0; n < 5_000; n += 1) database.prepare('INSERT INTO kept VALUES (?)').run(`word ${n}`);
  database.close();
  const path = join(dataDir, 'holdfast.db');
  const bytes = readFileSync(path);
  bytes.fill(0xff, 8_192, 16_384);
  writeFileSync(path, bytes);
  await expect(backUp()).rejects.toThrow(/damaged|malformed/);
  expect(readdirSync(dirname(target))).toEqual([]);
});

describe('restoring is refused, and changes nothing,', () => {
  beforeEach(async () => {
    put('secrets.key', 'key');
    put('files/notes.txt', 'notes');
    await backUp();
  });

  test('into a folder that holds something', async () => {
    mkdirSync(restored);
    writeFileSync(join(restored, 'holdfast.db'), '');
    await expect(restore()).rejects.toThrow(`${restored} is not empty: holdfast.db`);
    expect(readdirSync(restored)).toEqual(['holdfast.db']);
  });

  test('from what is no whole backup', async () => {
    rmSync(join(target, 'backup.json'));
    await expect(restore()).rejects.toThrow(`${target} is not a complete backup`);
  });

  test('where a file has changed or is missing', async () => {
    writeFileSync(join(target, 'secrets.key'), 'kez');
    await expect(restore()).rejects.toThrow('secrets.key differs from the backed-up file');
    rmSync(join(target, 'secrets.key'));
    await expect(restore()).rejects.toThrow('secrets.key is missing');
    expect(readdirSync(restored)).toEqual([]);
  });

  test.each(['../outside', 'files/../../outside', '/etc/outside'])(
    'from a manifest that leads to %s',
    async (path) => {
      const manifest = join(target, 'backup.json');
      const content = JSON.parse(readFileSync(manifest, 'utf8'));
      content.files[0].path = path;
      writeFileSync(manifest, JSON.stringify(content));
      await expect(restore()).rejects.toThrow('it leads out of the backup');
    },
  );

  test('and goes through on a new volume, whose file system has a folder of its own', async () => {
    mkdirSync(join(restored, 'lost+found'), { recursive: true });
    await restore();
    expect(readdirSync(restored).sort()).toEqual(['files', 'lost+found', 'secrets.key']);
  });

  test('and goes through where one before was interrupted', async () => {
    mkdirSync(join(restored, '.restoring-1', 'files'), { recursive: true });
    await restore();
    expect(readdirSync(restored).sort()).toEqual(['files', 'secrets.key']);
  });
});

describe('a link in the place of a listed file', () => {
  const PLANTED = 'of another';

  beforeEach(async () => {
    put('files/notes.txt', PLANTED);
    openDatabase('holdfast.db').close();
    await backUp();
  });

  test.each([
    ['a file', () => [join(target, 'files', 'notes.txt'), join(dir.path, 'elsewhere', 'notes.txt')]],
    ['a folder', () => [join(target, 'files'), join(dir.path, 'elsewhere')]],
  ])('is refused, and nothing is restored: %s', async (_, paths) => {
    mkdirSync(join(dir.path, 'elsewhere'));
    // It has the bytes that the manifest lists, so that only the link is wrong.
    writeFileSync(join(dir.path, 'elsewhere', 'notes.txt'), PLANTED);
    const [path = '', to = ''] = paths();
    rmSync(path, { recursive: true });
    symlinkSync(to, path);
    await expect(restore()).rejects.toMatchObject({
      code: 'CONFIGURATION',
      message: expect.stringContaining('files/notes.txt is not a file of the backup') as string,
    });
    expect(readdirSync(restored)).toEqual([]);
  });
});
