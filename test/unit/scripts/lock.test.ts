import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { exists } from '../../e2e/dev-server/fixtures';
import { makeTempDir, type TempDir } from '../../support/temp-dir';
import { waitFor } from '../../support/wait';
import { readPid } from '../../support/processes';
import { runModule, type ScriptProcess } from '../../support/run-module';

let folder: TempDir;
let lock: string;
const started: ScriptProcess[] = [];
beforeEach(() => {
  folder = makeTempDir();
  lock = join(folder.path, 'deep', 'work.lock');
});
afterEach(() => {
  for (const script of started.splice(0)) script.kill();
  folder.remove();
});

/** A process that runs `body` under the lock. */
function locked(body: string, options = '{}'): ScriptProcess {
  const code = `return scripts.withLock(${JSON.stringify(lock)}, 'does the work', async (lock) => { ${body} }, ${options});`;
  const script = runModule(['setup/lock.mjs'], code);
  started.push(script);
  return script;
}

/** Code that waits until a file is there. */
const UNTIL_FILE = (file: string): string => `
  const { existsSync, watch } = await import('node:fs');
  await new Promise((resolve) => {
    const watcher = watch(${JSON.stringify(dirname(file))}, look);
    function look() { if (existsSync(${JSON.stringify(file)})) { watcher.close(); resolve(); } }
    look();
  });`;

const isLocked = (): Promise<boolean> => waitFor(() => existsSync(lock), { what: 'the lock to be taken' });

test('gives back what the work returned, and leaves nothing', async () => {
  expect(await locked('return 7;').result).toBe(7);
  expect(readdirSync(join(folder.path, 'deep'))).toEqual([]);
});

test('is given back when the work fails or ends the process', async () => {
  await expect(locked(`throw new Error('broken work');`).result).rejects.toThrow('broken work');
  await locked('process.exit(0);').result;
  expect(readdirSync(join(folder.path, 'deep'))).toEqual([]);
});

test('a second process waits, says for whom, and goes on when the first is done', async () => {
  const gate = join(folder.path, 'gate');
  const first = locked(`${UNTIL_FILE(gate)} return 'first';`);
  await isLocked();
  const second = locked(`return 'second';`);
  await waitFor(() => second.messages() !== '', { what: 'the second to say that it waits' });
  expect(second.messages()).toBe(`setup: waiting for process ${first.pid}, which does the work\n`);
  writeFileSync(gate, '');
  expect(await Promise.all([first.result, second.result])).toEqual(['first', 'second']);
});

test('a wait is bounded and says for whom it was', async () => {
  const first = locked(UNTIL_FILE(join(folder.path, 'never')));
  await isLocked();
  const second = locked('return 0;', '{ giveUpMs: 100 }');
  await expect(second.result).rejects.toThrow(
    `process ${first.pid} still holds ${lock}. Stop it, then try again.`,
  );
});

test('the lock of a killed process is taken over', async () => {
  const first = locked(UNTIL_FILE(join(folder.path, 'never')));
  await isLocked();
  first.kill();
  await first.result.catch(() => undefined);
  expect(existsSync(lock)).toBe(true);
  expect(await locked('return 1;').result).toBe(1);
});

test('the lock holds while a child of the killed process goes on', async () => {
  const pidFile = join(folder.path, 'pid');
  const first = locked(`
    const { spawn } = await import('node:child_process');
    const child = spawn('tail', ['-f', '/dev/null'], { stdio: 'ignore' });
    lock.include(child.pid);
    (await import('node:fs')).writeFileSync(${JSON.stringify(pidFile)}, String(child.pid));
    ${UNTIL_FILE(join(folder.path, 'never'))}`);
  const child = await waitFor(() => readPid(pidFile), {
    what: 'the child to be there',
  });
  first.kill();
  await first.result.catch(() => undefined);
  const second = locked('return 2;');
  await waitFor(() => second.messages().includes(`waiting for process ${child}`), {
    what: 'the second to wait',
  });
  process.kill(child, 'SIGKILL');
  expect(await second.result).toBe(2);
  expect(exists(child)).toBe(false);
});

test.each(['', '{"holders":', 'null', JSON.stringify({ holders: [{ pid: process.pid, start: '1' }] })])(
  'a lock of which the text is %j holds nobody up',
  async (text) => {
    await locked('return 0;').result;
    writeFileSync(lock, text);
    expect(await locked('return 3;').result).toBe(3);
  },
);

test('a lock that cannot be read ends the wait, with what to do', async () => {
  mkdirSync(lock, { recursive: true });
  await expect(locked('return 0;').result).rejects.toThrow(
    `The lock ${lock} cannot be read (EISDIR). Remove it when no set-up runs, then try again.`,
  );
});

test('of many at once, each works alone', async () => {
  const counter = join(folder.path, 'counter');
  writeFileSync(counter, '0');
  const body = `
    const fs = await import('node:fs');
    const before = Number(fs.readFileSync(${JSON.stringify(counter)}, 'utf8'));
    await new Promise(setImmediate);
    fs.writeFileSync(${JSON.stringify(counter)}, String(before + 1));`;
  await Promise.all([0, 1, 2, 3].map(() => locked(body).result));
  expect(readFileSync(counter, 'utf8')).toBe('4');
});
