import { join } from 'node:path';
import { type ChildProcess, startChild } from '../../contract/support/child-process';
import { exists, freePorts, type ServerFixture, serverFixture } from './fixtures';

const RUN_SERVER = join(__dirname, 'children', 'run-server.ts');

let fixture: ServerFixture;
let parent: ChildProcess | undefined;
let orphan: number | undefined;
beforeEach(async () => {
  fixture = await serverFixture();
});
afterEach(async () => {
  await parent?.kill();
  await fixture.clean();
  if (orphan !== undefined && exists(orphan)) process.kill(orphan, 'SIGKILL');
  parent = orphan = undefined;
});

/** A server whose parent process is still alive. */
async function startInParent(): Promise<number> {
  const { logger: _logger, ...options } = fixture.options;
  parent = startChild(RUN_SERVER, options);
  const line = await parent.nextLine();
  orphan = (JSON.parse(line ?? '{}') as { pid: number }).pid;
  return orphan;
}

/** A server that outlived the SIGKILL of its parent. */
async function leaveOrphan(): Promise<number> {
  const pid = await startInParent();
  await parent?.kill();
  expect(exists(pid)).toBe(true);
  return pid;
}

test('takes over the server of a killed process as it is', async () => {
  const pid = await leaveOrphan();
  const server = await fixture.start();
  expect(server).toMatchObject({ pid, adopted: true });
  await server.stop();
  expect(exists(pid)).toBe(false);
});

test('notices the end of a server that it took over', async () => {
  const pid = await leaveOrphan();
  const server = await fixture.start();
  process.kill(pid, 'SIGKILL');
  await expect(server.exited).resolves.toMatchObject({ code: null });
});

test('replaces a left server that was started with other settings', async () => {
  const pid = await leaveOrphan();
  const [port, uiPort] = await freePorts();
  const server = await fixture.start({ port, uiPort });
  expect(server.adopted).toBe(false);
  expect(server.pid).not.toBe(pid);
  expect(exists(pid)).toBe(false);
  expect(fixture.lines).toContainEqual(
    expect.objectContaining({ level: 'warn', message: expect.stringContaining('replacing') }),
  );
});

test('replaces a left server that does not answer', async () => {
  const pid = await leaveOrphan();
  process.kill(pid, 'SIGSTOP');
  const server = await fixture.start({ stopTimeoutMs: 100 });
  expect(server.adopted).toBe(false);
  expect(exists(pid)).toBe(false);
});

test('leaves the server of a living process alone and says who runs on the folder', async () => {
  const pid = await startInParent();
  await expect(fixture.start()).rejects.toMatchObject({
    code: 'CONFIGURATION',
    message: expect.stringMatching(
      /^DATA_DIR \(.+\) is in use by another holdfast, process \d+\. .*TEMPORAL_PORT/,
    ),
  });
  expect(exists(pid)).toBe(true);
});
