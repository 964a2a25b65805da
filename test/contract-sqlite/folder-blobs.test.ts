import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FolderBlobs } from '../../src/stores/blobs/folder-blobs';
import { LayeredBlobs } from '../../src/stores/blobs/layered-blobs';
import { makeTempDir } from '../support/temp-dir';
import { describeBlobStore } from '../contract/blob-store';

function leaveDraft(root: string, key: string): Promise<void> {
  const path = join(root, `${key}.0a1b.tmp`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'half');
  return Promise.resolve();
}

describeBlobStore('folder', () => {
  const dir = makeTempDir();
  return Promise.resolve({
    connect: () => new FolderBlobs(dir.path),
    leaveDraft: (key) => leaveDraft(dir.path, key),
    dispose: () => Promise.resolve(dir.remove()),
  });
});

describeBlobStore('layered', () => {
  const [now, before] = [makeTempDir(), makeTempDir()];
  return Promise.resolve({
    connect: () => new LayeredBlobs(new FolderBlobs(now.path), new FolderBlobs(before.path)),
    leaveDraft: (key) => leaveDraft(before.path, key),
    dispose() {
      for (const dir of [now, before]) dir.remove();
      return Promise.resolve();
    },
  });
});

test('what was in the store before is found, replaced and removed', async () => {
  const [now, before] = [makeTempDir(), makeTempDir()];
  const old = new FolderBlobs(before.path);
  const blobs = new LayeredBlobs(new FolderBlobs(now.path), old);
  for (const key of ['a/1', 'a/2']) await old.put(key, Buffer.from('old'));
  expect((await blobs.get('a/1'))?.toString()).toBe('old');
  expect((await blobs.getRange('a/1', 1, 1))?.toString()).toBe('l');
  await blobs.put('a/1', Buffer.from('new'));
  expect((await blobs.get('a/1'))?.toString()).toBe('new');
  expect((await old.get('a/1'))?.toString()).toBe('old');
  await blobs.remove('a/1');
  expect(await blobs.get('a/1')).toBeUndefined();
  await blobs.removeFolder('a');
  expect(await old.get('a/2')).toBeUndefined();
  [now, before].forEach((dir) => dir.remove());
});

test('a folder that cannot be used is told without its path', async () => {
  const dir = makeTempDir();
  writeFileSync(join(dir.path, 'file'), '');
  const blobs = new FolderBlobs(join(dir.path, 'file'));
  const error = (await blobs.put('a', Buffer.from('b')).catch((thrown: unknown) => thrown)) as Error;
  expect(error).toMatchObject({
    code: 'STORE_UNAVAILABLE',
    retryable: true,
    details: { service: 'payloads', reason: 'the system answers EEXIST' },
  });
  expect(error.message).not.toContain(dir.path);
  dir.remove();
});
