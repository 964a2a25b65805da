import * as files from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFileRead } from '../../../../src/tools/builtin/file-read';
import { rejection, useCleanup } from '../../egress/cleanup';
import { toolContext } from './context';

// Only `open` is replaced, so that a test can act between the check and the opening.
jest.mock('node:fs/promises', () => {
  const actual = jest.requireActual<typeof files>('node:fs/promises');
  return { ...actual, open: jest.fn(actual.open) };
});

const actual = jest.requireActual<typeof files>('node:fs/promises');
const opening = jest.mocked(files.open);
const release = useCleanup();

/** `root/dir/file` is harmless; `base/file`, which the link `root/evil` makes `root/evil/file`, is not. */
async function setUp() {
  const base = await actual.mkdtemp(join(tmpdir(), 'holdfast-race-'));
  release(() => actual.rm(base, { recursive: true }));
  const root = join(base, 'root');
  await actual.mkdir(join(root, 'dir'), { recursive: true });
  await actual.writeFile(join(base, 'file'), 'secret');
  await actual.writeFile(join(root, 'dir', 'file'), 'harmless');
  await actual.symlink(base, join(root, 'evil'));
  const tool = createFileRead({ fileRoot: root, maxFileBytes: 100 });
  const move = (from: string, to: string): Promise<void> => actual.rename(join(root, from), join(root, to));
  return {
    read: (path: string) => tool.run({ path }, toolContext()),
    swap: async () => {
      await move('dir', 'kept');
      await move('evil', 'dir');
    },
    swapBack: async () => {
      await move('dir', 'evil');
      await move('kept', 'dir');
    },
    replaceByLink: async () => {
      await actual.rm(join(root, 'dir', 'file'));
      await actual.symlink(join(base, 'file'), join(root, 'dir', 'file'));
    },
  };
}

test('a folder swapped for a link out before opening is seen', async () => {
  const { read, swap } = await setUp();
  opening.mockImplementationOnce(async (...args) => {
    await swap();
    return actual.open(...args);
  });
  expect((await rejection(read('dir/file'))).message).toMatch(/leads out of the file folder/);
});

test('so is one that is swapped back after opening', async () => {
  const { read, swap, swapBack } = await setUp();
  opening.mockImplementationOnce(async (...args) => {
    await swap();
    const handle = await actual.open(...args);
    await swapBack();
    return handle;
  });
  expect((await rejection(read('dir/file'))).message).toMatch(/changed while it was opened/);
});

test('a file replaced by a link is not followed', async () => {
  const { read, replaceByLink } = await setUp();
  opening.mockImplementationOnce(async (...args) => {
    await replaceByLink();
    return actual.open(...args);
  });
  expect((await rejection(read('dir/file'))).message).toMatch(/have just changed/);
});
