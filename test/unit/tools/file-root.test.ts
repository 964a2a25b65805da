import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../../src/settings/config';
import { checkFileRoot } from '../../../src/tools/file-root';
import { makeTempDir, type TempDir } from '../../support/temp-dir';

let dir: TempDir;
beforeEach(() => {
  dir = makeTempDir();
  mkdirSync(join(dir.path, 'data', 'payloads'), { recursive: true });
  writeFileSync(join(dir.path, 'data', 'secrets.key'), 'key');
});
afterEach(() => dir.remove());

const at = (...names: string[]): string => join(dir.path, ...names);
const check = (root: string, data = at('data')): Promise<void> =>
  checkFileRoot(loadConfig({ DATA_DIR: data, FILE_ROOT: root }));

const refused = expect.objectContaining({
  code: 'CONFIGURATION',
  message: expect.stringMatching(/^FILE_ROOT \(.*\) would let tools read .*DATA_DIR[^\n]*$/),
});

test.each([
  ['the data folder itself', 'data'],
  ['a folder above it', '.'],
  ['the root of the disk', '/'],
  ['the values of runs', 'data/payloads'],
  ['a folder in them', 'data/payloads/default'],
  ['the rows of imports, before there are any', 'data/imports'],
  ['files that users have sent', 'data/uploads/users'],
  ['the data of a cluster of 1.0.0', 'data/cluster/neo4j'],
  ['the records of a tenant', 'data/tenants/acme'],
])('%s is refused', async (_, root) => {
  await expect(check(root.startsWith('/') ? root : at(root))).rejects.toEqual(refused);
});

test.each([
  ['files in the data folder', 'data/files'],
  ['another folder there', 'data/shared/documents'],
  ['a folder beside it', 'other'],
  ['one whose name begins alike', 'data-files'],
  ['one whose name begins with dots', 'data/..files'],
])('%s may be read', async (_, root) => {
  await expect(check(at(root))).resolves.toBeUndefined();
});

test('by default it is apart from what is kept', async () => {
  await expect(checkFileRoot(loadConfig({ DATA_DIR: at('data') }))).resolves.toBeUndefined();
});

describe('symbolic links', () => {
  test('to the data folder, or to one above it, are followed', async () => {
    symlinkSync(at('data'), at('link'));
    await expect(check(at('link'))).rejects.toEqual(refused);
    symlinkSync(dir.path, at('above'));
    await expect(check(at('above'))).rejects.toEqual(refused);
    symlinkSync(at('data'), at('data', 'files'));
    await expect(check(at('data', 'files'))).rejects.toEqual(refused);
  });

  test('on the way to the data folder are followed', async () => {
    mkdirSync(at('disk', 'holdfast'), { recursive: true });
    symlinkSync(at('disk', 'holdfast'), at('linked'));
    await expect(check(at('disk'), at('linked'))).rejects.toEqual(refused);
    await expect(check(at('disk'), at('linked', 'not-there-yet'))).rejects.toEqual(refused);
    await expect(check(at('disk', 'documents'), at('linked'))).resolves.toBeUndefined();
  });

  test('of what is kept in it are followed', async () => {
    mkdirSync(at('big', 'values'), { recursive: true });
    mkdirSync(at('other'));
    symlinkSync(at('big', 'values'), at('other', 'payloads'));
    await expect(check(at('big'), at('other'))).rejects.toEqual(refused);
    mkdirSync(at('keys'));
    writeFileSync(at('keys', 'holdfast'), 'key');
    symlinkSync(at('keys', 'holdfast'), at('other', 'secrets.key'));
    await expect(check(at('keys'), at('other'))).rejects.toEqual(refused);
  });
});
