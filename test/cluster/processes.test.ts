import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { type Leftovers, recordLeftovers } from '../../cluster/processes/leftovers';
import { rememberPorts } from '../../cluster/processes/ports';
import { type RunningPart, spawnPart } from '../../cluster/processes/spawn-part';
import { supervise } from '../../cluster/processes/supervise';
import { waitForPart } from '../../cluster/processes/wait-for-part';
import { isAlive } from '../support/temporal-server';
import { makeTempDir, type TempDir } from '../support/temp-dir';
import { waitFor } from '../support/wait';

const logger = pino({ level: 'silent' });
const RECORD = 'processes.json';
const never = (): never => {
  throw new Error('it gave up');
};

let dir: TempDir;
let leftovers: Leftovers;
let pids: number[];
let endings: Promise<string>[];
beforeEach(() => {
  dir = makeTempDir();
  leftovers = recordLeftovers(join(dir.path, RECORD));
  pids = [];
  endings = [];
});
afterEach(async () => {
  for (const pid of pids) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  // The end of a part is recorded in the folder, which would be made again.
  await Promise.all(endings);
  dir.remove();
});

/** Runs `script` by Node.js and adds the lines that it prints to `lines`. */
async function start(script: string, lines: string[] = []): Promise<RunningPart> {
  const part = await spawnPart({
    name: 'part',
    command: process.execPath,
    args: ['-e', script],
    output: (line) => void lines.push(line),
    input: '',
    stopLimitMs: 500,
    leftovers,
  });
  pids.push(part.pid);
  endings.push(part.ended);
  return part;
}

const LIVES = 'setInterval(() => undefined, 1000)';

test('a program that is not there is told as the part that lacks it', async () => {
  const starting = spawnPart({
    name: 'postgres',
    command: join(dir.path, 'nowhere'),
    args: [],
    output: join(dir.path, 'log'),
    stopLimitMs: 1,
    leftovers,
  });
  await expect(starting).rejects.toMatchObject({
    code: 'CONFIGURATION',
    message: `postgres cannot be run (${join(dir.path, 'nowhere')}): ENOENT`,
  });
});

test('a part that does not listen to its signal is killed', async () => {
  const lines: string[] = [];
  const part = await start(
    `process.on('SIGTERM', () => console.log('heard')); console.log('up'); ${LIVES}`,
    lines,
  );
  await waitFor(() => lines.includes('up'), { what: 'the part to run' });
  await part.stop();
  expect(lines).toContain('heard');
  expect(await part.ended).toBe('SIGKILL; it said: up | heard');
});

test('waiting for a part ends with its own end, and says what was lacking where it takes too long', async () => {
  const check = () => Promise.reject(new Error('no answer'));
  const ended = waitForPart(await start('process.exit(3)'), { what: 'Temporal', limitMs: 20_000, check });
  await expect(ended).rejects.toThrow('Temporal did not come up: it ended with exit code 3');

  const part = await start(LIVES);
  await expect(waitForPart(part, { what: 'Temporal', limitMs: 10, check })).rejects.toThrow(
    'Temporal did not come up: waited 10 ms, and at last: no answer',
  );
  expect(isAlive(part.pid)).toBe(false);
});

test('why a part ended is in its last lines, without where in the code that was', async () => {
  const script = `console.log('first'); console.log('second');
    console.error('the address is in use\\n    at bind (net.js:1)\\n\\nCaused by: a port\\n    ... 3 more');
    process.exitCode = 1;`;
  const check = () => Promise.reject(new Error('no answer'));
  const ended = waitForPart(await start(script), { what: 'Neo4j', limitMs: 20_000, check });
  const error = await ended.catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    message: expect.stringMatching(/^Neo4j did not come up: it ended with exit code 1; it said: /),
  });
  const said = (error as Error).message.split('it said: ')[1]?.split(' | ') ?? [];
  expect(said).toHaveLength(3);
  expect(said).toEqual(expect.arrayContaining(['the address is in use', 'Caused by: a port']));
});

test('a line is told as what its reader makes of it', async () => {
  const part = await spawnPart({
    name: 'part',
    command: process.execPath,
    args: ['-e', `console.log('{"msg":"no store"}'); process.exit(2)`],
    output: (line) => (JSON.parse(line) as { msg: string }).msg,
    stopLimitMs: 500,
    leftovers,
  });
  pids.push(part.pid);
  expect(await part.ended).toBe('exit code 2; it said: no store');
});

test('a record that cannot be written, as on a full disk, ends neither a part nor the cluster', async () => {
  const file = join(dir.path, 'file');
  writeFileSync(file, '');
  leftovers = recordLeftovers(join(file, RECORD));
  expect(await (await start('process.exit(3)')).ended).toBe('exit code 3');
});

describe('a supervised part', () => {
  test('is started again when it is killed, and not when it is stopped', async () => {
    let starts = 0;
    let ends = 0;
    const part = await supervise({
      name: 'part',
      start: () => {
        starts += 1;
        return start(LIVES);
      },
      logger,
      onEnd: () => (ends += 1),
      giveUp: never,
    });
    const first = part.pid() ?? -1;
    process.kill(first, 'SIGKILL');
    const second = await waitFor(() => (part.pid() === first ? undefined : part.pid()), { what: 'another' });
    expect(isAlive(second)).toBe(true);
    await part.stop();
    expect(isAlive(second)).toBe(false);
    expect([starts, ends, part.pid()]).toEqual([2, 2, undefined]);
  });

  test('that cannot be stopped while it starts again is stopped when it has', async () => {
    let finish: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (finish = resolve));
    let starts = 0;
    const part = await supervise({
      name: 'part',
      start: async () => {
        starts += 1;
        if (starts > 1) await held;
        return start(LIVES);
      },
      logger,
      giveUp: never,
    });
    process.kill(part.pid() ?? -1, 'SIGKILL');
    await waitFor(() => starts === 2, { what: 'the second start' });
    const stopping = part.stop();
    finish();
    await stopping;
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test('whose first start fails is the error of that', async () => {
    const failing = supervise({
      name: 'part',
      start: () => Promise.reject(new Error('no room')),
      logger,
      giveUp: never,
    });
    await expect(failing).rejects.toThrow('no room');
  });
});

test('what a killed cluster left is ended by the next, and nothing that only has its pid', async () => {
  const parts = [await start(LIVES), await start(LIVES)];
  const another = { name: 'gone', command: [], stopSignal: 'SIGKILL', stopLimitMs: 1 } as const;
  leftovers.add({ ...another, pid: process.pid, start: 'long ago' });
  expect(await recordLeftovers(join(dir.path, RECORD)).end()).toEqual(['part', 'part']);
  expect(parts.map(({ pid }) => isAlive(pid))).toEqual([false, false]);
  expect(await recordLeftovers(join(dir.path, RECORD)).end()).toEqual([]);
});

describe('ports', () => {
  test('stay the same from one start to the next, and are different from each other', async () => {
    const before = rememberPorts(dir.path);
    const first = [await before.assign('a'), await before.assign('b')];
    expect(new Set(first).size).toBe(2);
    const after = rememberPorts(dir.path);
    expect([await after.assign('a'), await after.assign('b')]).toEqual(first);
  });

  test('that were asked for are given as they are', async () => {
    expect(await rememberPorts(dir.path).assign('a', 7233)).toBe(7233);
  });
});
