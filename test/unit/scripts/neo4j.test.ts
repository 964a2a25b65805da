import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTempDir } from '../../support/temp-dir';
import { waitFor } from '../../support/wait';
import { runModule, type ScriptProcess } from '../../support/run-module';

const POM = '<project><properties><neo4j.version>1.2.3</neo4j.version></properties></project>';

let folder: ReturnType<typeof makeTempDir>;
let started: ScriptProcess[];
beforeEach(() => {
  folder = makeTempDir();
  started = [];
  mkdirSync(at('project', 'test', 'support', 'neo4j'), { recursive: true });
  writeFileSync(at('project', 'test', 'support', 'neo4j', 'pom.xml'), POM);
  mkdirSync(at('bin'));
});
afterEach(() => {
  for (const script of started) script.kill();
  folder.remove();
});

const at = (...parts: string[]): string => join(folder.path, ...parts);
const target = (): string => at('cache', 'neo4j', '1.2.3');
const calls = (): number => readFileSync(at('calls'), 'utf8').length;

/** The number of processes in the lock. */
function lockHolders(): number {
  if (!existsSync(`${target()}.lock`)) return 0;
  const { holders } = JSON.parse(readFileSync(`${target()}.lock`, 'utf8')) as { holders: unknown[] };
  return holders.length;
}

/** A stand-in for Maven that records each call and runs these shell lines; `$out` is the folder for the libraries. */
function installMaven(...lines: string[]): void {
  const script = [
    '#!/bin/sh',
    `printf x >> ${at('calls')}`,
    'for arg; do case "$arg" in -DoutputDirectory=*) out="${arg#*=}" ;; esac; done',
    ...lines,
  ];
  writeFileSync(at('bin', 'mvn'), `${script.join('\n')}\n`);
  chmodSync(at('bin', 'mvn'), 0o755);
}

function ensure(): ScriptProcess {
  const script = runModule(
    ['setup/neo4j.mjs'],
    `return scripts.ensureNeo4j(${JSON.stringify(at('project'))});`,
    { PATH: `${at('bin')}:/usr/bin:/bin`, HOLDFAST_CACHE_DIR: at('cache') },
  );
  started.push(script);
  return script;
}

test('gets the libraries once, and says so', async () => {
  installMaven('echo jar > "$out/neo4j.jar"');
  const first = ensure();
  expect(await first.result).toBe(target());
  expect(readdirSync(target())).toEqual(['neo4j.jar']);
  expect(first.messages()).toMatch(/getting the Neo4j server with Maven[^]*done in/);
  expect(first.messages()).toContain(`(about 130 MB to fetch, kept in ${target()} (130 MB)) ...`);

  const second = ensure();
  expect(await second.result).toBe(target());
  expect(second.messages()).toBe('');
  expect(calls()).toBe(1);
});

test('keeps nothing of a try that failed, and shows what Maven said', async () => {
  installMaven('echo half > "$out/neo4j.jar"', 'echo "the registry is closed"', 'exit 1');
  await expect(ensure().result).rejects.toThrow(/the registry is closed\n\nMaven could not get/);
  expect(readdirSync(at('cache', 'neo4j'))).toEqual([]);
});

test('two at once wait for each other, and one does the work', async () => {
  installMaven('echo jar > "$out/neo4j.jar"');
  expect(await Promise.all([ensure().result, ensure().result])).toEqual([target(), target()]);
  expect(calls()).toBe(1);
});

test('a try that was killed leaves nothing that is taken for the server', async () => {
  installMaven('echo half > "$out/neo4j.jar"', `while [ ! -e ${at('go-on')} ]; do sleep 0.05; done`);
  const killed = ensure();
  // A process that is killed while it renews the lock leaves a draft, which counts as nothing either.
  await waitFor(() => lockHolders() === 2, { what: 'Maven to be among the holders of the lock' });
  killed.kill();
  await expect(killed.result).rejects.toThrow();
  writeFileSync(at('go-on'), '');

  installMaven('echo jar > "$out/neo4j.jar"');
  expect(await ensure().result).toBe(target());
  expect(readFileSync(join(target(), 'neo4j.jar'), 'utf8')).toBe('jar\n');
  expect(readdirSync(at('cache', 'neo4j'))).toEqual(['1.2.3']);
});
