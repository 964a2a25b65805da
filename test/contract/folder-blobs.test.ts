import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FolderBlobs } from '../../src/stores/blobs/folder-blobs';
import { makeTempDir } from '../support/temp-dir';
import { describeBlobStore } from './blob-store';

describeBlobStore('folder', () => {
  const dir = makeTempDir();
  return Promise.resolve({
    connect: () => new FolderBlobs(dir.path),
    leaveDraft(key) {
      const path = join(dir.path, `${key}.0a1b.tmp`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, 'half');
      return Promise.resolve();
    },
    dispose: () => Promise.resolve(dir.remove()),
  });
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
