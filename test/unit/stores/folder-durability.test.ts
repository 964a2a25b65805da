import type * as fs from 'node:fs/promises';
import { relative } from 'node:path';
import { FolderBlobs } from '../../../src/stores/blobs/folder-blobs';
import { makeTempDir, type TempDir } from '../../support/temp-dir';

/** The syncs and renames, in order. */
const events: [what: 'sync' | 'rename', path: string][] = [];
/** The file system's answer to the sync of a folder; absent for a real sync. */
let refusal: string | undefined;

jest.mock('node:fs/promises', () => {
  const actual = jest.requireActual<typeof fs>('node:fs/promises');
  return {
    ...actual,
    rename: async (from: string, to: string) => {
      await actual.rename(from, to);
      events.push(['rename', to]);
    },
    open: async (path: string, ...rest: never[]) => {
      const file = await actual.open(path, ...rest);
      const isFolder = (await file.stat()).isDirectory();
      return new Proxy(file, {
        get(target, key) {
          if (key === 'sync')
            return async () => {
              if (isFolder && refusal !== undefined) throw Object.assign(new Error('no'), { code: refusal });
              await target.sync();
              events.push(['sync', path]);
            };
          const value: unknown = Reflect.get(target, key, target);
          return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        },
      });
    },
  };
});

let dir: TempDir;
let blobs: FolderBlobs;
beforeEach(async () => {
  dir = makeTempDir();
  blobs = new FolderBlobs(`${dir.path}/blobs`);
  await blobs.ping();
  events.length = 0;
  refusal = undefined;
});
afterEach(() => dir.remove());

/** Events with paths below the store's folder, and drafts without the random part of their names. */
const seen = (): string[] =>
  events.map(
    ([what, path]) =>
      `${what} ${relative(`${dir.path}/blobs`, path).replace(/\.[0-9a-f-]{36}\.tmp$/, ' draft')}`,
  );

test('a value is synced, then its name, then the names of the folders that were made for it', async () => {
  await blobs.put('payloads/n/w/value', Buffer.from('1'));
  expect(seen().sort()).toEqual(
    [
      'rename payloads/n/w/value',
      'sync ',
      'sync payloads',
      'sync payloads/n',
      'sync payloads/n/w',
      'sync payloads/n/w/value draft',
    ].sort(),
  );
  const renamed = seen().indexOf('rename payloads/n/w/value');
  expect(seen().indexOf('sync payloads/n/w/value draft')).toBeLessThan(renamed);
  expect(seen().indexOf('sync payloads/n/w')).toBeGreaterThan(renamed);
});

test('a value in a folder that is there costs one sync more', async () => {
  await blobs.put('payloads/n/w/one', Buffer.from('1'));
  events.length = 0;
  await blobs.put('payloads/n/w/two', Buffer.from('2'));
  expect(seen()).toEqual(['sync payloads/n/w/two draft', 'rename payloads/n/w/two', 'sync payloads/n/w']);
});

test('what comes as a stream, and what is moved, keep their names too', async () => {
  const chunks = (async function* () {
    yield await Promise.resolve(Buffer.from('1'));
  })();
  await blobs.putStream('uploads/one', chunks);
  expect(seen().slice(-2)).toEqual(['rename uploads/one', 'sync uploads']);
  events.length = 0;
  await blobs.move('uploads/one', 'imports/one/rows');
  expect(seen().slice(-2)).toEqual(['rename imports/one/rows', 'sync imports/one']);
});

test('a file system that cannot sync a folder still keeps values, and one that fails does not', async () => {
  refusal = 'EINVAL';
  await blobs.put('a/value', Buffer.from('1'));
  expect((await blobs.get('a/value'))?.toString()).toBe('1');
  refusal = 'EIO';
  await expect(blobs.put('a/value', Buffer.from('2'))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
});
