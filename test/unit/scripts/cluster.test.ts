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
function missing(more: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const env = { PATH: join(dir.path, 'bin'), HOLDFAST_CACHE_DIR: join(dir.path, 'cache'), ...more };
  const { result } = runModule(['setup/cluster.mjs'], 'return scripts.findMissingForCluster();', env);
  return result;
}

const lacking = (what: RegExp) => expect.arrayContaining([expect.stringMatching(what)]);

test.each([
  ['openjdk version "17.0.15" 2025-04-15', true],
  ['openjdk version "21" 2023-09-19', true],
  ['openjdk version "11.0.22" 2024-01-16', false],
  ['java version "1.8.0_402"', false],
  ['nothing of the kind', false],
])('Java that says %j is recent enough: %s', async (line, enough) => {
  install('java', `echo '${line}' >&2`);
  const lack = lacking(/^Java 17 or later/);
  if (enough) expect(await missing()).not.toEqual(lack);
  else expect(await missing()).toEqual(lack);
});

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

test('what is not there at all is named', async () => {
  for (const what of [/^Java 17 or later, in which Neo4j runs$/, /^Maven/, /^Go 1.25 or later .*is built$/])
    expect(await missing()).toEqual(lacking(what));
});

describe('what npm run cluster does not start, because the settings name another one,', () => {
  const cluster = { npm_lifecycle_event: 'precluster' };
  const address = { TEMPORAL_ADDRESS: 'there:7233' };
  const graph = { NEO4J_URI: 'bolt://there' };

  test('may be missing', async () => {
    expect(await missing({ ...cluster, ...address, ...graph })).toEqual([]);
    expect(await missing({ ...cluster, ...address })).toEqual([
      expect.stringMatching(/^Java/),
      expect.stringMatching(/^Maven/),
    ]);
    const ofEngine = (await missing({ ...cluster, ...graph })) as string[];
    expect(ofEngine[0]).toMatch(/^Go/);
    expect(ofEngine.join()).not.toMatch(/Java|Maven/);
  });

  test('is set up all the same by a script of another name, such as that of the tests', async () => {
    expect(await missing({ ...address, ...graph })).toEqual(lacking(/^Java/));
  });
});
