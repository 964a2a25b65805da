import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { createFileRead } from '../../../../src/tools/builtin/file-read';
import { checkRelativePath } from '../../../../src/tools/builtin/file-open';
import { rejection, useCleanup } from '../../egress/cleanup';
import { toolContext } from './context';

const release = useCleanup();
const MAX_BYTES = 1_000;

/** The tool may read `<base>/root` and must not read `<base>/secret.txt` beside it. */
async function setUp() {
  const base = await mkdtemp(join(tmpdir(), 'holdfast-files-'));
  release(() => rm(base, { recursive: true }));
  const root = join(base, 'root');
  await mkdir(join(root, 'sub'), { recursive: true });
  await writeFile(join(base, 'secret.txt'), 'secret');
  await writeFile(join(root, 'a.txt'), 'grüße');
  await writeFile(join(root, 'sub', 'b.txt'), 'b');
  const tool = createFileRead({ fileRoot: root, maxFileBytes: MAX_BYTES });
  const read = async (path: string, encoding?: string): Promise<unknown> =>
    (await tool.run({ path, ...(encoding === undefined ? {} : { encoding }) }, toolContext())).value;
  return { base, root, read };
}

test('a text file', async () => {
  const { read } = await setUp();
  expect(await read('a.txt')).toEqual({ path: 'a.txt', content: 'grüße', size: 7, encoding: 'utf8' });
  expect(await read('./sub//b.txt')).toEqual({ path: 'sub/b.txt', content: 'b', size: 1, encoding: 'utf8' });
});

test('a binary file', async () => {
  const { root, read } = await setUp();
  await writeFile(join(root, 'x.bin'), Buffer.from([0xff, 0xfe, 0]));
  expect(await read('x.bin', 'base64')).toEqual({
    path: 'x.bin',
    content: '//4A',
    size: 3,
    encoding: 'base64',
  });
  const error = await rejection(read('x.bin'));
  expect(error.message).toBe('x.bin is not UTF-8 text; read it with encoding base64');
});

test('an empty file, and one with a byte order mark', async () => {
  const { root, read } = await setUp();
  await writeFile(join(root, 'empty'), '');
  await writeFile(join(root, 'bom'), '\uFEFF{}');
  expect(await read('empty')).toEqual({ path: 'empty', content: '', size: 0, encoding: 'utf8' });
  expect(await read('bom')).toEqual({ path: 'bom', content: '{}', size: 5, encoding: 'utf8' });
});

test.each([
  ['', /is empty/],
  ['..', /must not contain/],
  ['../secret.txt', /must not contain/],
  ['sub/../../secret.txt', /must not contain/],
  ['sub/../a.txt', /must not contain/],
  ['..\\secret.txt', /must not contain/],
  ['/etc/passwd', /must be relative/],
  ['//etc/passwd', /must be relative/],
  ['\\etc\\passwd', /must be relative/],
  ['C:\\secret.txt', /must be relative/],
  ['c:secret.txt', /must be relative/],
  ['a.txt\0.png', /NUL/],
])('%j is refused', async (path, message) => {
  const { read } = await setUp();
  const error = await rejection(read(path));
  expect(error).toMatchObject({ code: 'TOOL_EXECUTION_FAILED', retryable: false });
  expect(error.message).toMatch(message);
});

test('no path that passes leads up', () => {
  const part = fc.oneof(fc.constantFrom('..', '.', '', 'a', '...', '..a', 'C:', '~'), fc.string());
  const path = fc
    .array(part, { maxLength: 6 })
    .chain((parts) => fc.constantFrom(parts.join('/'), parts.join('\\')));
  fc.assert(
    fc.property(path, (text) => {
      let checked: string;
      try {
        checked = checkRelativePath(text);
      } catch (error) {
        expect(error).toMatchObject({ code: 'TOOL_EXECUTION_FAILED' });
        return;
      }
      expect(join('/root', checked)).toMatch(/^\/root(\/|$)/);
    }),
  );
});

test.each([
  ['missing.txt', /no such file/],
  ['missing/a.txt', /no such file/],
  ['a.txt/b', /no such file/],
  ['sub', /is a folder/],
  ['.', /is a folder/],
  ['x'.repeat(300), /name is too long/],
])('%s cannot be read, and the error tells no folder of the server', async (path, message) => {
  const { base, read } = await setUp();
  const error = await rejection(read(path));
  expect(error).toMatchObject({ code: 'TOOL_EXECUTION_FAILED', retryable: false });
  expect(error.message).toMatch(message);
  expect(error.message).not.toContain(base);
});

describe('symbolic links', () => {
  test('inside the root are followed', async () => {
    const { root, read } = await setUp();
    await symlink('sub/b.txt', join(root, 'link.txt'));
    await symlink('sub', join(root, 'folder'));
    expect(await read('link.txt')).toMatchObject({ content: 'b' });
    expect(await read('folder/b.txt')).toMatchObject({ content: 'b' });
  });

  test.each([
    ['a file', '../secret.txt', 'link'],
    ['an absolute path', '/etc/passwd', 'link'],
    ['a folder', '..', 'link/secret.txt'],
  ])('to %s outside are refused', async (_, target, path) => {
    const { root, read } = await setUp();
    await symlink(target, join(root, 'link'));
    expect((await rejection(read(path))).message).toMatch(/leads out of the file folder/);
  });

  test('to a sibling whose name begins like the root are refused', async () => {
    const { base, root, read } = await setUp();
    await mkdir(join(base, 'root-private'));
    await writeFile(join(base, 'root-private', 'x'), 'x');
    await symlink('../root-private/x', join(root, 'link'));
    expect((await rejection(read('link'))).message).toMatch(/leads out/);
  });

  test('in a circle are an error', async () => {
    const { root, read } = await setUp();
    await symlink('loop', join(root, 'loop'));
    expect((await rejection(read('loop'))).message).toMatch(/circle/);
  });

  test('the root itself may be one', async () => {
    const { base } = await setUp();
    await symlink('root', join(base, 'alias'));
    const tool = createFileRead({ fileRoot: join(base, 'alias'), maxFileBytes: MAX_BYTES });
    expect((await tool.run({ path: 'a.txt' }, toolContext())).value).toMatchObject({ content: 'grüße' });
  });
});

describe('what is no regular file', () => {
  test('a pipe is refused at once', async () => {
    const { root, read } = await setUp();
    execFileSync('mkfifo', [join(root, 'pipe')]);
    expect((await rejection(read('pipe'))).message).toBe('Cannot read pipe: it is not a regular file');
  });

  test('a socket is refused', async () => {
    const { root, read } = await setUp();
    const server = createServer().listen(join(root, 'socket'));
    await once(server, 'listening');
    release(() => new Promise((resolve) => server.close(resolve)));
    expect((await rejection(read('socket'))).message).toMatch(/not a regular file/);
  });
});

describe('size', () => {
  test('up to the limit is read, one byte more is not', async () => {
    const { root, read } = await setUp();
    const file = join(root, 'large');
    await writeFile(file, 'x'.repeat(MAX_BYTES));
    expect(await read('large')).toMatchObject({ size: MAX_BYTES });
    await appendFile(file, 'x');
    const error = await rejection(read('large'));
    expect(error).toMatchObject({ code: 'TOOL_EXECUTION_FAILED', retryable: false });
    expect(error.message).toBe('large is too large: at least 1001 bytes, and 1000 are allowed');
  });

  const testOnLinux = process.platform === 'linux' ? test : test.skip;
  testOnLinux('files that claim to be empty are held to the limit as well', async () => {
    const tool = createFileRead({ fileRoot: '/proc/self', maxFileBytes: 10 });
    const error = await rejection(tool.run({ path: 'status' }, toolContext()));
    expect(error.message).toMatch(/status is too large/);
  });
});

test('a root that does not exist is an error without its name', async () => {
  const tool = createFileRead({ fileRoot: '/nowhere/at/all', maxFileBytes: 10 });
  const error = await rejection(tool.run({ path: 'a.txt' }, toolContext()));
  expect(error).toMatchObject({ code: 'TOOL_EXECUTION_FAILED', retryable: false });
  expect(error.message).toMatch(/file folder .* does not exist/);
  expect(error.message).not.toContain('nowhere');
});

test('an aborted call stops reading', async () => {
  const { root } = await setUp();
  const tool = createFileRead({ fileRoot: root, maxFileBytes: 100 });
  const reason = new Error('deadline');
  const context = toolContext({ signal: AbortSignal.abort(reason) });
  expect(await rejection(tool.run({ path: 'a.txt' }, context))).toBe(reason);
});
