import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = join(__dirname, '..', '..');
const TYPESCRIPT = join(ROOT, 'test', 'contract', 'support', 'run-typescript.cjs');
const LINE_BYTES = 1_000;

interface Line {
  readonly msg: string;
  readonly n?: number;
  readonly lines?: number;
}

let child: ChildProcess | undefined;
afterEach(() => child?.kill('SIGKILL'));

/** Logs this number of lines of 1,000 bytes, sends a message, and ends when it receives one. */
function startLogging(lines: number): ChildProcess {
  const script = `
    const { createLogger } = require(${JSON.stringify(join(ROOT, 'src', 'base', 'logger.ts'))});
    const logger = createLogger({ LOG_LEVEL: 'info', LOG_FORMAT: 'json' }, 'test');
    const filler = 'x'.repeat(${LINE_BYTES});
    for (let n = 1; n <= ${lines}; n += 1) logger.info({ n, filler }, 'numbered');
    process.send('logged');
    process.on('message', () => process.exit(0));`;
  child = spawn(process.execPath, ['--require', TYPESCRIPT, '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  return child;
}

/**
 * Reads the whole output of the process from now on. The process is ended after the line for which `isLast` returns
 * true.
 */
async function readUntil(process: ChildProcess, isLast: (line: Line) => boolean): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const text of createInterface({ input: process.stdout! })) {
    const line = JSON.parse(text) as Line;
    lines.push(line);
    if (isLast(line)) process.send('end');
  }
  return lines;
}

test('a process whose lines are not read goes on, and ends when it is to', async () => {
  const process = startLogging(5_000);
  await once(process, 'message');
  process.send('end');
  const [code] = (await once(process, 'exit')) as [number | null];
  expect(code).toBe(0);
});

test('every line is there for a reader who comes late', async () => {
  const process = startLogging(3_000);
  await once(process, 'message');
  const lines = await readUntil(process, ({ n }) => n === 3_000);
  expect(lines.map(({ n }) => n)).toEqual(Array.from({ length: 3_000 }, (_, index) => index + 1));
});

test('lines beyond the bound are dropped, and counted', async () => {
  const sent = 15_000;
  const process = startLogging(sent);
  await once(process, 'message');
  const lines = await readUntil(process, ({ msg }) => msg !== 'numbered');
  const lastLine = lines.at(-1);
  expect(lastLine?.msg).toBe('log lines were dropped, because no process read them');
  const kept = lines.slice(0, -1);
  expect(kept.length).toBeGreaterThan(5_000);
  expect(kept.map(({ n }) => n)).toEqual(kept.map((_, index) => index + 1));
  expect(lastLine?.lines).toBe(sent - kept.length);
});

test('a warning is written at once, after the lines before it, also when the process then hangs', async () => {
  const script = `
    const { createLogger } = require(${JSON.stringify(join(ROOT, 'src', 'base', 'logger.ts'))});
    const logger = createLogger({ LOG_LEVEL: 'info', LOG_FORMAT: 'json' }, 'test');
    logger.info('before');
    logger.warn('warned');
    logger.info('after');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`;
  child = spawn(process.execPath, ['--require', TYPESCRIPT, '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const messages: string[] = [];
  for await (const text of createInterface({ input: child.stdout! })) {
    messages.push((JSON.parse(text) as Line).msg);
    if (messages.length === 2) child.kill('SIGKILL');
  }
  expect(messages).toEqual(['before', 'warned']);
});

// Each write to this device fails as on a full disk.
(existsSync('/dev/full') ? test : test.skip)('a disk that is full ends no process that logs', async () => {
  const script = `
    const { createLogger } = require(${JSON.stringify(join(ROOT, 'src', 'base', 'logger.ts'))});
    const logger = createLogger({ LOG_LEVEL: 'info', LOG_FORMAT: 'json' }, 'test');
    logger.warn('first');
    setTimeout(() => {
      logger.warn('second');
      setTimeout(() => process.exit(5), 100);
    }, 100);`;
  const full = openSync('/dev/full', 'w');
  child = spawn(process.execPath, ['--require', TYPESCRIPT, '-e', script], {
    stdio: ['ignore', full, 'inherit'],
  });
  closeSync(full);
  expect(await once(child, 'exit')).toEqual([5, null]);
});
