import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { MAX_FILES_OF_TENANT, MAX_FILES_OF_USER } from '../../../src/contracts/http/files';
import { createUserFiles, type UserFiles } from '../../../src/files/user-files';
import { FILES, filesOf } from '../../../src/files/file-keys';
import { sweepFiles } from '../../../src/files/sweep-files';
import { createPseudonyms, RUN_USER } from '../../../src/secrets/pseudonyms';
import { FolderBlobs } from '../../../src/stores/blobs/folder-blobs';
import { makeTempDir, type TempDir } from '../../support/temp-dir';

const HOUR_MS = 3_600_000;
const pseudonyms = createPseudonyms(Buffer.alloc(32, 1));

let dir: TempDir;
let blobs: FolderBlobs;
let later: number;
let erasing: readonly boolean[];
let erasures: readonly (string | undefined)[];
beforeEach(() => {
  dir = makeTempDir();
  blobs = new FolderBlobs(dir.path);
  later = 0;
  erasing = [];
  erasures = [];
});
afterEach(() => dir.remove());

const ofTenant = (tenant: string): UserFiles =>
  createUserFiles({
    blobs,
    tenant,
    pseudonyms,
    isErasing: () => {
      const [now = false, ...rest] = erasing;
      erasing = rest;
      return Promise.resolve(now);
    },
    latestErasure: () => {
      const [latest, ...rest] = erasures;
      erasures = rest;
      return Promise.resolve(latest);
    },
    now: () => Date.now() + later,
  });
const NOTE = {
  name: 'note.txt',
  type: 'Text/Plain; charset="latin1"',
  bytes: Buffer.from('caf\u00e9', 'latin1'),
};

test('a file is read as it was sent, by its user in its tenant alone', async () => {
  const { id, ...head } = await ofTenant('default').add('ann', NOTE);
  expect(head).toEqual({ name: 'note.txt', type: 'text/plain', size: 4, expiresAt: expect.any(String) });
  expect(await ofTenant('default').read('ann', id)).toEqual({
    name: 'note.txt',
    type: 'text/plain',
    size: 4,
    text: 'caf\u00e9',
  });
  for (const [tenant, user] of [
    ['default', 'bob'],
    ['acme', 'ann'],
  ] as const)
    for (const act of ['head', 'read', 'remove'] as const)
      await expect(ofTenant(tenant)[act](user, id)).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  for (const wrong of ['../../x', '', id.toLowerCase(), `${id}/..`])
    await expect(ofTenant('default').head('ann', wrong)).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  expect(await ofTenant('default').head('ann', id)).toMatchObject({ id });
});

test('after a day it is refused, and then removed', async () => {
  const files = ofTenant('acme');
  const { id } = await files.add('ann', NOTE);
  const sweep = (hours: number) => sweepFiles({ blobs, now: Date.now() + hours * HOUR_MS });
  later = 23.9 * HOUR_MS;
  expect(await files.head('ann', id)).toMatchObject({ id });
  later = 24.1 * HOUR_MS;
  await expect(files.read('ann', id)).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  expect(await sweep(24)).toBe(0);
  expect(await sweep(26)).toBe(1);
  expect(await sweep(26)).toBe(0);
});

test('the sweep leaves alone what is not of users, and what has a name that no key can have', async () => {
  await ofTenant('default').add('ann', NOTE);
  const old = new Date(Date.now() - 300 * HOUR_MS);
  // The default of FILE_ROOT is `files` in the folder of the store.
  const others = ['files/users/prices.csv', `${FILES}/users/my notes (1).txt`];
  for (const name of others) {
    const path = join(dir.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'kept');
    utimesSync(path, old, old);
  }
  expect(await sweepFiles({ blobs, now: Date.now() + 26 * HOUR_MS })).toBe(1);
  for (const name of others) expect(readFileSync(join(dir.path, name), 'utf8')).toBe('kept');
});

test('the number that is kept for a user has a bound, and those that expired do not count', async () => {
  const files = ofTenant('default');
  const folder = filesOf({ tenant: 'default', user: pseudonyms(RUN_USER, 'ann') });
  for (let n = 0; n < MAX_FILES_OF_USER; n += 1) await blobs.put(`${folder}/${n}`, Buffer.from('x'));
  await expect(files.add('ann', NOTE)).rejects.toMatchObject({ code: 'FILE_QUOTA' });
  await files.add('bob', NOTE);
  later = 25 * HOUR_MS;
  await files.add('ann', NOTE);
});

test('uploads at the same time pass no bound together, of a user or of a tenant', async () => {
  const files = ofTenant('acme');
  const fill = (user: string, count: number): void => {
    const folder = join(dir.path, filesOf({ tenant: 'acme', user }));
    mkdirSync(folder, { recursive: true });
    for (let n = 0; n < count; n += 1) writeFileSync(join(folder, String(n)), 'x');
  };
  const addFive = (user: string) =>
    Promise.allSettled(Array.from({ length: 5 }, () => files.add(user, NOTE)));
  fill(pseudonyms(RUN_USER, 'ann'), MAX_FILES_OF_USER - 2);
  const ofAnn = await addFive('ann');
  expect(ofAnn.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  fill('others', MAX_FILES_OF_TENANT - MAX_FILES_OF_USER - 1);
  const ofBob = await addFive('bob');
  expect(ofBob.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(ofBob.at(-1)).toMatchObject({
    reason: { code: 'FILE_QUOTA', message: expect.stringContaining('1000 files are kept for a tenant') },
  });
  await ofTenant('default').add('bob', NOTE);
});

test('a type that is too long for the head of a file is refused', async () => {
  const type = `text/plain; x=${'a'.repeat(9_000)}`;
  await expect(ofTenant('default').add('ann', { ...NOTE, type })).rejects.toMatchObject({
    code: 'VALIDATION',
    details: { field: 'Content-Type' },
  });
});

test.each<[string, () => void]>([
  ['is under way', () => (erasing = [true])],
  ['is under way when the file was read', () => (erasing = [false, true])],
  ['begins and ends while the file is stored', () => (erasures = [undefined, 'an-erasure'])],
])('nothing is kept of a user whose erasure %s', async (_when, prepare) => {
  prepare();
  await expect(ofTenant('default').add('ann', NOTE)).rejects.toMatchObject({ code: 'MEMORY_ERASING' });
  const left: string[] = [];
  for await (const { key } of blobs.list(FILES)) left.push(key);
  expect(left).toEqual([]);
});
