import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTempDir, type TempDir } from '../../support/temp-dir';
import { runModule } from '../../support/run-module';

let dir: TempDir;
beforeEach(() => {
  dir = makeTempDir();
  mkdirSync(join(dir.path, 'bin'));
});
afterEach(() => dir.remove());

function install(name: string, script: string): void {
  const path = join(dir.path, 'bin', name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

/** The programs that are missing on a machine with only these installed. */
function missing(): Promise<unknown> {
  const env = { PATH: join(dir.path, 'bin'), HOLDFAST_CACHE_DIR: join(dir.path, 'cache') };
  const { result } = runModule(['setup/cluster.mjs'], 'return scripts.findMissing();', env);
  return result;
}

const lacking = (what: RegExp) => expect.arrayContaining([expect.stringMatching(what)]);

test.each([
  ['go version go1.25.0 linux/amd64', 'local', true],
  ['go version go1.26.8 linux/amd64', 'local', true],
  ['go version go1.24.4 linux/amd64', 'local', false],
  ['go version go1.24.4 linux/amd64', 'auto', true],
  ['go version go1.19.8 linux/amd64', '', false],
])('Go that says %j, with toolchains %j, can build the server: %s', async (line, toolchain, enough) => {
  install('go', `case "$1" in version) echo '${line}';; env) echo '${toolchain}';; esac`);
  const lack = lacking(/^Go 1.25 or later/);
  if (enough) expect(await missing()).not.toEqual(lack);
  else expect(await missing()).toEqual(lack);
});

test('a Go that is not there at all is named', async () => {
  expect(await missing()).toEqual(lacking(/^Go 1.25 or later .*is built$/));
});
