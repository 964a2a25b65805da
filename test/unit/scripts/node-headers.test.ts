import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTempDir, type TempDir } from '../../support/temp-dir';
import { runModule } from '../../support/run-module';

let folder: TempDir;
beforeEach(() => (folder = makeTempDir()));
afterEach(() => folder.remove());

function withHeaders(version: readonly [number, number, number]): void {
  const [major, minor, patch] = version;
  mkdirSync(join(folder.path, 'include', 'node'), { recursive: true });
  writeFileSync(
    join(folder.path, 'include', 'node', 'node_version.h'),
    `#define NODE_MAJOR_VERSION ${major}\n#define NODE_MINOR_VERSION ${minor}\n#define NODE_PATCH_VERSION ${patch}\n`,
  );
}

const find = (): Promise<unknown> => {
  const node = JSON.stringify(join(folder.path, 'bin', 'node'));
  return runModule(['setup/node-headers.mjs'], `return scripts.findNodeHeaders(${node}, '20.20.2');`).result;
};

test('headers beside a Node.js of the same version are used', async () => {
  withHeaders([20, 20, 2]);
  expect(await find()).toBe(folder.path);
});

test('headers of another version are not', async () => {
  withHeaders([22, 1, 0]);
  expect(await find()).toBeNull();
});

test('no headers, no folder', async () => {
  expect(await find()).toBeNull();
});
