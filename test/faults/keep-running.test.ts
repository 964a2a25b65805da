import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { compiledEntry } from '../../src/base/compiled-entry';
import type { Handover } from '../../src/supervision/parent-link';
import { makeTempDir, type TempDir } from '../support/temp-dir';
import { waitFor } from '../support/wait';
import { readIdentity, isRunning } from '../../temporal/dev-server/stop-process';

/** The line that a child writes when it is up. */
interface Started {
  readonly pid: number;
  readonly handover: Handover;
}

const FOLLOW = compiledEntry('src/supervision/parent-link');
const KEEP = compiledEntry('bin/keep-running');
/** Reports that it is up, and then does what the test says. */
const CHILD = (body: string): string => `
  const { followParent, reportUp } = require(${JSON.stringify(FOLLOW)});
  const handover = JSON.parse(process.argv[2]);
  const isFirst = handover.previous === undefined;
  const up = () => {
    reportUp();
    require('node:fs').writeSync(1, JSON.stringify({ pid: process.pid, handover }) + '\\n');
  };
  followParent();
  setInterval(() => undefined, 1_000);
  ${body}
`;

let dir: TempDir;
let parent: ChildProcess;
let started: Started[];
let errors: string[];

beforeEach(() => {
  dir = makeTempDir();
  started = [];
  errors = [];
});
afterEach(() => {
  parent.kill('SIGKILL');
  for (const { pid } of started) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  dir.remove();
});

function run(body: string): Promise<number | NodeJS.Signals> {
  const entry = join(dir.path, 'child.js');
  writeFileSync(entry, CHILD(body));
  const options = `{ name: 'it', entry: ${JSON.stringify(entry)}, readStart: () => 'then' }`;
  const script = join(dir.path, 'parent.js');
  writeFileSync(script, `require(${JSON.stringify(KEEP)}).keepRunning(${options});`);
  parent = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'pipe'] });
  createInterface({ input: parent.stdout! }).on('line', (line) => started.push(JSON.parse(line) as Started));
  createInterface({ input: parent.stderr! }).on('line', (line) => errors.push(line));
  return once(parent, 'close').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
}

function nthStart(n: number): Promise<Started> {
  return waitFor(() => started[n - 1], { what: `start ${n}` });
}

const isAlive = (pid: number): boolean => isRunning(readIdentity(pid));

test('the exit code of an orderly end is passed on', async () => {
  expect(await run(`up(); process.exit(0);`)).toBe(0);
  expect(started).toHaveLength(1);
});

test('a first start that fails is not repeated, and adds no line', async () => {
  expect(await run(`console.error('it: no'); process.exit(1);`)).toBe(1);
  expect(errors).toEqual(['it: no']);
});

test.each([
  ['a signal', `process.abort()`, 'SIGABRT'],
  ['an exit code', `process.exit(3)`, 'exit code 3'],
])('after an end by %s the child is started again and hears of it', async (_, end, how) => {
  const exited = run(`up(); if (isFirst) ${end};`);
  const first = await nthStart(1);
  const second = await nthStart(2);
  expect(first.handover).toEqual({});
  expect(second.handover).toEqual({ previous: { pid: first.pid, start: 'then', how, restarts: 1 } });
  parent.kill('SIGTERM');
  // The child has no handler for the signal, so the signal ends it, and then the parent.
  expect(await exited).toBe('SIGTERM');
  expect(isAlive(second.pid)).toBe(false);
});

test('starts that fail after it had come up are repeated a few times', async () => {
  expect(await run(`if (isFirst) up(); process.exit(4);`)).toBe(4);
  expect(errors).toEqual(['it ended with exit code 4 and is not started again']);
});

test.each(['SIGINT', 'SIGHUP'] as const)(
  '%s is passed on, and the exit code of the shutdown comes back',
  async (signal) => {
    const exited = run(`process.on('${signal}', () => process.exit(7)); up();`);
    await nthStart(1);
    parent.kill(signal);
    expect(await exited).toBe(7);
    expect(started).toHaveLength(1);
  },
);

test.each([
  ['idle', `up();`],
  ['blocked', `up(); for (;;);`],
])('a child that is %s ends when its parent is killed', async (_, body) => {
  const exited = run(body);
  const { pid } = await nthStart(1);
  parent.kill('SIGKILL');
  // The child writes to the same output, so this waits for both.
  expect(await exited).toBe('SIGKILL');
  await waitFor(() => !isAlive(pid), { what: 'the child to end' });
});
