import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { calculator } from '../support/calls';
import { LEXICAL } from '../support/memories';
import { type Api, openStage, type Stage } from '../support/stage';
import { makeTempDir, type TempDir } from '../support/temp-dir';
import { waitFor } from '../support/wait';

/** A disk that a test can fill without harm to others needs the right to mount one. */
function mountDisk(): TempDir | undefined {
  const dir = makeTempDir();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32m', 'tmpfs', dir.path], { stdio: 'ignore' });
    return dir;
  } catch {
    dir.remove();
    return undefined;
  }
}

const disk = mountDisk();
let stage: Stage;
let api: Api;

beforeAll(async () => {
  stage = await openStage();
  if (disk !== undefined) api = await stage.allInOne({ ...LEXICAL, DATA_DIR: disk.path });
});
afterAll(async () => {
  await stage.close();
  if (disk === undefined) return;
  execFileSync('umount', [disk.path]);
  disk.remove();
});

/** Writes until not a byte more fits. */
function fill(path: string): void {
  const file = openSync(path, 'w');
  const chunk = Buffer.alloc(65_536);
  try {
    for (let size = chunk.length; size > 0;) {
      try {
        writeSync(file, chunk, 0, size);
      } catch {
        size = Math.floor(size / 2);
      }
    }
  } finally {
    closeSync(file);
  }
}

const add = () => api.post('/api/tools/execute', calculator('add', 1, 2));

(disk === undefined && process.env['CI'] !== 'true' ? test.skip : test)(
  'a full disk is unhealthy and not ready, says which it is, and is well again once there is room',
  async () => {
    expect([(await api.get('/readyz')).status, (await api.get('/api/health')).status]).toEqual([200, 200]);
    const filler = join(disk!.path, 'filler');
    fill(filler);
    await waitFor(async () => (await api.get('/readyz')).status === 503, { what: 'the API not to be ready' });
    expect((await api.get('/livez')).status).toBe(200);
    const { status, body } = await api.get('/api/health');
    expect([status, body.message, body.details.failedServices]).toEqual([
      503,
      'System is unhealthy',
      expect.arrayContaining(['disk']),
    ]);
    expect(body.error).toContain('disk (the disk of DATA_DIR is full: make room; no restart is needed)');
    expect((await api.get('/api/health/detailed')).body.error).toMatch(
      /the disk of DATA_DIR is full \(0\.\d of 32\.0 MB left\): make room; no restart/,
    );
    // The health of a service without AUTH is open, so it has no path of this machine.
    expect(body.error).not.toContain(disk!.path);
    expect(api.process.lines).toContainEqual(expect.objectContaining({ level: 50, folder: disk!.path }));

    rmSync(filler);
    await waitFor(async () => (await api.get('/readyz')).status === 200, { what: 'the API to be ready' });
    expect((await api.get('/api/health')).status).toBe(200);
    expect((await add()).body.data.result).toBe(3);
  },
);
