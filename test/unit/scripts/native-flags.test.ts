import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTempDir, type TempDir } from '../../support/temp-dir';
import { runModule, type ScriptProcess } from '../../support/run-module';

const SAFE = 'napi and so on';
const FATAL = 'xx_ZN4node28RemoveEnvironmentCleanupHookEPN2v87IsolateE';

let folder: TempDir;
const at = (...parts: string[]): string => join(folder.path, ...parts);
const binary = (): string => at('node_modules', 'better-sqlite3', 'build', 'Release', 'better_sqlite3.node');
beforeEach(() => {
  folder = makeTempDir();
  mkdirSync(join(binary(), '..'), { recursive: true });
});
afterEach(() => folder.remove());

const flags = (version: string, env = {}): Promise<unknown> =>
  runModule(
    ['setup/native-flags.mjs'],
    `return scripts.withNativeFlags(${JSON.stringify(env)}, '${version}').CXXFLAGS;`,
  ).result;

test.each(['20.20.2', '22.23.3', '24.18.1'])(
  'Node.js %s compiles native packages as they are',
  async (version) => {
    expect(await flags(version)).toBeNull();
  },
);

test.each(['24.19.0', '24.21.0', '26.0.0'])('Node.js %s includes a file first', async (version) => {
  expect(await flags(version)).toMatch(/^-include "\/\S+\/scripts\/setup\/object-wrap\.h"$/);
  expect(await flags(version, { CXXFLAGS: '-O1' })).toMatch(/^-O1 -include "/);
});

/** A stand-in for npm that records how it was called and leaves this binary. */
function fakeNpm(leaves: string): Record<string, string> {
  writeFileSync(
    at('npm-cli.js'),
    `const fs = require('node:fs');
     const { CXXFLAGS, npm_config_build_from_source: source } = process.env;
     fs.writeFileSync(${JSON.stringify(at('call'))}, JSON.stringify({ args: process.argv.slice(2), CXXFLAGS, source }));
     fs.writeFileSync(${JSON.stringify(binary())}, ${JSON.stringify(leaves)});
     console.log('npm says this');`,
  );
  return { npm_execpath: at('npm-cli.js') };
}

const ensure = (version: string, leaves = SAFE): ScriptProcess =>
  runModule(
    ['setup/sqlite-binary.mjs'],
    `await scripts.ensureSqliteBinary(${JSON.stringify(folder.path)}, process.env, '${version}');`,
    fakeNpm(leaves),
  );

test.each([
  ['24.21.0', SAFE],
  ['24.18.1', FATAL],
  ['22.23.3', FATAL],
])('Node.js %s loads a binary with "%s" as it is', async (version, content) => {
  writeFileSync(binary(), content);
  await ensure(version).result;
  expect(existsSync(at('call'))).toBe(false);
});

test('a binary that would end this Node.js is compiled again from its source', async () => {
  writeFileSync(binary(), FATAL);
  const script = ensure('24.21.0');
  await script.result;
  expect(JSON.parse(readFileSync(at('call'), 'utf8'))).toEqual({
    args: ['rebuild', 'better-sqlite3'],
    CXXFLAGS: expect.stringContaining('object-wrap.h'),
    source: 'true',
  });
  expect(script.messages()).toMatch(
    /compiling SQLite, because .* \(about 2 minutes on 2 cores, kept in \S+\) \.\.\./,
  );
});

test('where that does not help, one message says so and what to do', async () => {
  writeFileSync(binary(), FATAL);
  await expect(ensure('24.21.0', FATAL).result).rejects.toThrow(
    /npm says this\n\nbetter-sqlite3 could not be compiled .*Node\.js 24\.21\.0.*or use Node\.js 22\./,
  );
});
