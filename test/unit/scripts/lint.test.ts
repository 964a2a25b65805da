import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runModule } from '../../support/run-module';
import type { TempDir } from '../../support/temp-dir';
import { makeTempDir } from '../../support/temp-dir';

/** A linter that notes which files it gets, and fails where one of them has the word "bad". */
const LINTER = `
const fs = require('node:fs');
const files = process.argv.slice(2).filter((argument) => /[.]/.test(argument));
fs.appendFileSync('linted.txt', files.join(' ') + '\\n');
const bad = files.filter((file) => fs.readFileSync(file, 'utf8').includes('bad'));
for (const file of bad) console.log(file + ' is bad');
process.exitCode = bad.length > 0 ? 1 : 0;`;

let root: TempDir;
beforeEach(async () => {
  root = makeTempDir();
  write('node_modules/eslint/bin/eslint.js', LINTER);
  write('src/user.ts', `import { find } from './store';\nexport const user = find;`);
  write('src/store/index.ts', `import type { Row } from "../row.js";\nexport const find = (): Row[] => [];`);
  write('src/row.ts', 'export type Row = string;');
  write('src/other.ts', `import { rule } from '@holdfast/rules';\nexport const other = rule;`);
  write('packages/rules/src/index.ts', `export { rule } from './rule';`);
  write('packages/rules/src/rule.ts', `export const rule = 1;`);
  write('package-lock.json', '{}');
  expect(await lint()).toMatchObject({ passed: true, linted: ALL });
});
afterEach(() => root.remove());

const ALL = [
  ...['packages/rules/src/index.ts', 'packages/rules/src/rule.ts'],
  ...['src/other.ts', 'src/row.ts', 'src/store/index.ts', 'src/user.ts'],
];

function write(path: string, text: string): void {
  const file = join(root.path, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Whether all files passed, what was printed, and which files the linter got. */
async function lint(): Promise<{ passed: unknown; lines: unknown; linted: string[] }> {
  const log = join(root.path, 'linted.txt');
  writeFileSync(log, '');
  const folder = JSON.stringify(root.path);
  const { result } = runModule(
    ['checks/lint.mjs'],
    `const lines = []; return [await scripts.lintChanged(${folder}, (line) => lines.push(line)), lines];`,
  );
  const [passed, lines] = (await result) as [unknown, unknown];
  const linted = readFileSync(log, 'utf8').split(/\s+/);
  rmSync(log);
  return { passed, lines, linted: linted.filter((path) => path !== '') };
}

test('lints nothing where nothing has changed', async () => {
  expect(await lint()).toEqual({ passed: true, lines: [], linted: [] });
});

test.each([
  ['src/row.ts', ['src/row.ts', 'src/store/index.ts', 'src/user.ts']],
  ['src/user.ts', ['src/user.ts']],
  [
    'packages/rules/src/rule.ts',
    ['packages/rules/src/index.ts', 'packages/rules/src/rule.ts', 'src/other.ts'],
  ],
])('after a change of %s lints it and what imports it', async (path, linted) => {
  write(path, `${readFileSync(join(root.path, path), 'utf8')}\n// Changed.`);
  expect(await lint()).toEqual({ passed: true, lines: [], linted });
  expect(await lint()).toEqual({ passed: true, lines: [], linted: [] });
});

test('lints a file that an import finds instead of another one', async () => {
  write('src/store.ts', 'export const find = 1;');
  expect((await lint()).linted).toEqual(['src/store.ts', 'src/user.ts']);
});

test.each(['package-lock.json', 'eslint.config.mjs', 'scripts/lint-rules/rule.mjs', 'src/global.d.ts'])(
  'after a change of %s lints all files',
  async (path) => {
    write(path, '// Changed.');
    expect((await lint()).linted).toEqual(expect.arrayContaining(ALL));
  },
);

test('lints a file again until it passes', async () => {
  write('src/user.ts', 'bad');
  const failed = { passed: false, lines: ['src/user.ts is bad'], linted: ['src/user.ts'] };
  expect(await lint()).toEqual(failed);
  expect(await lint()).toEqual(failed);
  write('src/user.ts', 'good');
  expect(await lint()).toEqual({ passed: true, lines: [], linted: ['src/user.ts'] });
});
