import { readdirSync } from 'node:fs';
import { type DiskWatch, watchDisk } from '../../../src/stores/disk-watch';
import type { Logger } from '../../../src/base/logger';
import { makeTempDir, type TempDir } from '../../support/temp-dir';

let dir: TempDir;
let watch: DiskWatch | undefined;
let lines: string[];
/** The code of the error with which a write fails; undefined if it succeeds. */
let code: string | undefined;
let looks: number;

const note = (level: string) => (_: object, message: string) => void lines.push(`${level} ${message}`);
const logger = { error: note('error'), info: note('info') } as unknown as Logger;
const FULL = 'error the disk of DATA_DIR is full; everything that writes there fails';

beforeEach(() => {
  jest.useFakeTimers();
  dir = makeTempDir();
  lines = [];
  code = undefined;
  looks = 0;
});
afterEach(() => {
  watch?.stop();
  jest.useRealTimers();
  dir.remove();
});

function start(): DiskWatch {
  watch = watchDisk({
    folder: dir.path,
    setting: 'DATA_DIR',
    logger,
    probe: () => {
      looks += 1;
      return code === undefined
        ? Promise.resolve()
        : Promise.reject(Object.assign(new Error('no'), { code }));
    },
  });
  return watch;
}

test('a disk with room is not full, and looking leaves nothing on it', async () => {
  watch = watchDisk({ folder: dir.path, setting: 'DATA_DIR', logger });
  await watch.check();
  expect([watch.isFull(), readdirSync(dir.path), lines]).toEqual([false, [], []]);
});

/** Waits until the disk has been looked at again. */
const nextLook = () => jest.advanceTimersByTimeAsync(2_000);

test.each(['ENOSPC', 'EDQUOT'])(
  'a write that fails by %s is a full disk, until one succeeds',
  async (full) => {
    const disk = start();
    await disk.check();
    code = full;
    for (let index = 0; index < 3; index += 1) {
      await nextLook();
      await expect(disk.check()).rejects.toThrow(
        /^the disk of DATA_DIR is full \(\d+\.\d of \d+\.\d MB left\): make room; no restart is needed$/,
      );
    }
    expect([disk.isFull(), lines]).toEqual([true, [FULL]]);
    code = undefined;
    await nextLook();
    await disk.check();
    expect([disk.isFull(), lines]).toEqual([false, [FULL, 'info the disk of DATA_DIR has room again']]);
  },
);

test.each(['EACCES', 'EROFS', 'ENOENT', 'EMFILE'])(
  'a write that fails by %s says nothing of room',
  async (other) => {
    code = other;
    const disk = start();
    await disk.check();
    expect([disk.isFull(), lines]).toEqual([false, []]);
  },
);

test('it looks by itself every two seconds, and a request for health writes nothing', async () => {
  code = 'ENOSPC';
  const disk = start();
  await nextLook();
  expect([disk.isFull(), looks]).toEqual([true, 2]);
  await Promise.allSettled([disk.check(), disk.check(), disk.check()]);
  expect(looks).toBe(2);
  disk.stop();
  await jest.advanceTimersByTimeAsync(10_000);
  expect(looks).toBe(2);
});
