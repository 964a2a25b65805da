import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTempDir, type TempDir } from '../../support/temp-dir';
import { runModule, type ScriptProcess } from '../../support/run-module';

interface Entry {
  readonly version: string;
  readonly optional?: boolean;
}

const WANTED: Record<string, Entry> = {
  'node_modules/a': { version: '1.0.0' },
  'node_modules/for-another-platform': { version: '2.0.0', optional: true },
};

let folder: TempDir;
const at = (...parts: string[]): string => join(folder.path, ...parts);
beforeEach(() => {
  folder = makeTempDir();
  writeLock(at('package-lock.json'), WANTED);
});
afterEach(() => folder.remove());

function writeLock(file: string, packages: Record<string, Entry>): void {
  writeFileSync(file, JSON.stringify({ packages: { '': { name: 'fixture' }, ...packages } }));
}

/** Writes npm's own record of what it installed, as the end of an install does. */
function installed(packages: Record<string, Entry>): void {
  mkdirSync(at('node_modules'), { recursive: true });
  writeFileSync(at('node_modules', '.package-lock.json'), JSON.stringify({ packages }));
}

const run = (code: string, env: Record<string, string> = {}): ScriptProcess =>
  runModule(['setup/install.mjs'], code.replaceAll('ROOT', JSON.stringify(folder.path)), env);
const isInstalled = (): Promise<unknown> => run('return scripts.isInstalled(ROOT);').result;

/** A stand-in for npm that records its arguments, and installs what the lock file lists or fails. */
function fakeNpm(exitCode = 0): Record<string, string> {
  const script = at('npm-cli.js');
  const packages = JSON.stringify({ 'node_modules/a': WANTED['node_modules/a'] });
  writeFileSync(
    script,
    `const fs = require('node:fs');
     fs.appendFileSync(${JSON.stringify(at('calls'))}, process.argv.slice(2).join(' ') + '\\n');
     console.error('npm says this');
     if (${exitCode}) process.exit(${exitCode});
     fs.mkdirSync(${JSON.stringify(at('node_modules'))}, { recursive: true });
     fs.writeFileSync(${JSON.stringify(at('node_modules', '.package-lock.json'))}, JSON.stringify({ packages: ${packages} }));`,
  );
  return { npm_execpath: script };
}

test('nothing installed is not installed', async () => {
  expect(await isInstalled()).toBe(false);
});

test('an install by hand is recognised, without the packages of other platforms', async () => {
  installed({ 'node_modules/a': { version: '1.0.0' } });
  expect(await isInstalled()).toBe(true);
  expect(existsSync(at('node_modules', '.holdfast-stamp'))).toBe(true);
});

test.each([
  ['an older version', { 'node_modules/a': { version: '0.9.0' } }],
  ['a missing package', {}],
  ['a package too many', { 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '1.0.0' } }],
])('%s is not in step', async (_case, packages) => {
  installed(packages);
  expect(await isInstalled()).toBe(false);
});

test('a changed lock file is noticed after a stamp was set', async () => {
  installed({ 'node_modules/a': { version: '1.0.0' } });
  await isInstalled();
  writeLock(at('package-lock.json'), { 'node_modules/a': { version: '1.1.0' } });
  expect(await isInstalled()).toBe(false);
});

test('what another Node.js installed is installed again, because of its native modules', async () => {
  installed({ 'node_modules/a': { version: '1.0.0' } });
  await isInstalled();
  const stamp = at('node_modules', '.holdfast-stamp');
  writeFileSync(stamp, readFileSync(stamp, 'utf8').replace(/abi \d+/, 'abi 1'));
  expect(await isInstalled()).toBe(false);
});

test('runs npm ci once for two set-ups at once, and then no more', async () => {
  const env = fakeNpm();
  const both = [0, 1].map(() => run('await scripts.ensureInstalled(ROOT);', env));
  await Promise.all(both.map((setup) => setup.result));
  const announced = `by npm ci (about 320 MB to fetch, about 2 minutes on 2 cores, kept in ${at('node_modules')} (790 MB)) ...`;
  expect(both.filter((setup) => setup.messages().includes(announced))).toHaveLength(1);
  expect(readFileSync(at('calls'), 'utf8')).toMatch(/^ci --include=dev [^\n]*\n$/);
  const third = run('await scripts.ensureInstalled(ROOT);', env);
  await third.result;
  expect(third.messages()).toBe('');
  expect(readFileSync(at('calls'), 'utf8').split('\n')).toHaveLength(2);
});

test('a failed npm ci is told with its last lines, and tried again the next time', async () => {
  await expect(run('await scripts.ensureInstalled(ROOT);', fakeNpm(3)).result).rejects.toThrow(
    /npm says this\n\nnpm ci failed \(code 3\)/,
  );
  await run('await scripts.ensureInstalled(ROOT);', fakeNpm()).result;
  expect(await isInstalled()).toBe(true);
});

test('nothing is installed through a link to the packages of another checkout', async () => {
  mkdirSync(at('elsewhere'));
  symlinkSync(at('elsewhere'), at('node_modules'));
  await expect(run('await scripts.ensureInstalled(ROOT);', fakeNpm()).result).rejects.toThrow(
    /node_modules is a link to \S+elsewhere, .*Remove the link/,
  );
  expect(existsSync(at('calls'))).toBe(false);
});

test('a missing lock file is named', async () => {
  rmSync(at('package-lock.json'));
  await expect(isInstalled()).rejects.toThrow('package-lock.json is missing');
});
