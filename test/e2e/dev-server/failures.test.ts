import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:net';
import { join } from 'node:path';
import { messageOf } from '../../../src/base/errors';
import { exists, occupyPort, type ServerFixture, serverFixture } from './fixtures';

const VERSION = 'temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)';

let fixture: ServerFixture;
let other: Server | undefined;
beforeEach(async () => {
  fixture = await serverFixture();
});
afterEach(async () => {
  other?.close();
  other = undefined;
  await fixture.clean();
});

/** A stand-in for the binary: a shell script that has a version. */
function scriptedCli(body: string): string {
  const path = join(fixture.options.dataDir, 'temporal-stub');
  writeFileSync(path, `#!/bin/sh\n[ "$1" != --version ] || exec echo '${VERSION}'\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** The pid that a stand-in wrote as its only line and that the error contains. */
function loggedPid(message: string): number {
  const pid = Number(/ends with: (\d+)$/.exec(message)?.[1]);
  expect(pid).toBeGreaterThan(0);
  return pid;
}

test.each([
  ['TEMPORAL_PORT', 'port'],
  ['TEMPORAL_UI_PORT', 'uiPort'],
] as const)('a %s that another program uses is named, with what to do', async (setting, option) => {
  const port = fixture.options[option];
  other = await occupyPort(port);
  await expect(fixture.start()).rejects.toMatchObject({
    code: 'CONFIGURATION',
    message: `Port ${port} on 127.0.0.1 (${setting}) is in use by another program: stop it, or set ${setting} to a free port.`,
  });
  expect(readdirSync(fixture.options.dataDir)).toEqual([]);
});

test.each([
  ['TEMPORAL_PORT', 'port'],
  ['TEMPORAL_UI_PORT', 'uiPort'],
] as const)('a %s of 0 is refused, with what to do', async (setting, option) => {
  await expect(fixture.start({ [option]: 0 })).rejects.toMatchObject({
    code: 'CONFIGURATION',
    message: `${setting} is 0, and Temporal's development server cannot choose a port: set ${setting} to a free one.`,
  });
});

test('a server that ends while it starts is told with the last line of its log', async () => {
  const cliPath = scriptedCli('echo "an old line"; echo "the disk is on fire" >&2; exit 3');
  await expect(fixture.start({ cliPath })).rejects.toMatchObject({
    code: 'ENGINE_UNAVAILABLE',
    message: expect.stringMatching(/ended before it was ready.*ends with: the disk is on fire$/),
  });
  expect(readdirSync(fixture.options.dataDir)).not.toContain('temporal.pid');
});

test.each([
  ['address already in use', 3],
  ['interface conversion: nil', 1],
])('a panic for "%s" before many stacks is told by its reason, after %d starts', async (reason, starts) => {
  const stacks =
    'i=0; while [ $i -lt 600 ]; do echo "\t/go/pkg/mod/some/server/main.go:$i +0x96"; i=$((i+1)); done';
  const cliPath = scriptedCli(`echo "panic: ${reason}"; echo; ${stacks}; exit 2`);
  await expect(fixture.start({ cliPath })).rejects.toMatchObject({
    code: 'ENGINE_UNAVAILABLE',
    message: expect.stringMatching(new RegExp(`ends with: panic: ${reason}$`)),
  });
  const again = fixture.lines.filter(({ message }) => message === 'starting the Temporal server again');
  expect(again).toHaveLength(starts - 1);
});

test('a server that never listens is ended, and the wait says what it waited for', async () => {
  const cliPath = scriptedCli('echo $$ ; exec tail -f /dev/null');
  const start = fixture.start({ cliPath, readyTimeoutMs: 400 });
  await expect(start).rejects.toMatchObject({
    code: 'ENGINE_UNAVAILABLE',
    message: expect.stringMatching(
      /Waited 400 ms for the Temporal server on 127\.0\.0\.1:\d+.*nothing listens/,
    ),
  });
  const pid = loggedPid(await start.then(() => 'started', messageOf));
  expect(exists(pid)).toBe(false);
});

test('a server that ignores SIGTERM is killed', async () => {
  const cliPath = scriptedCli('trap "" TERM; echo $$; while :; do read -r line < /dev/zero; done');
  const start = fixture.start({ cliPath, readyTimeoutMs: 400, stopTimeoutMs: 100 });
  const pid = loggedPid(await start.then(() => 'started', messageOf));
  expect(exists(pid)).toBe(false);
});

test('a binary that cannot be run is named with its setting', async () => {
  const cliPath = join(fixture.options.dataDir, 'missing');
  await expect(fixture.start({ cliPath })).rejects.toMatchObject({
    code: 'CONFIGURATION',
    message: `TEMPORAL_CLI_PATH is not an executable file: ${cliPath}`,
  });
});
