import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { PROJECT_ROOT, composeFile, readProjectFile } from '../../support/deployment';

const lines = readProjectFile('Dockerfile').replace(/\\\n/g, ' ').split('\n');
const instructions = (name: string): string[] =>
  lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1).trim());

test('every base is one image and no other', () => {
  expect(instructions('FROM')).toHaveLength(2);
  for (const base of instructions('FROM'))
    expect(base).toMatch(/^node:\d+\.\d+\.\d+-[\w-]+@sha256:[0-9a-f]{64}( AS \w+)?$/);
});

test('it does not run as root, and tells whether it is well', () => {
  expect(instructions('USER')).toEqual(['1000:1000']);
  expect(instructions('HEALTHCHECK')).toHaveLength(1);
  expect(instructions('STOPSIGNAL')).toEqual(['SIGTERM']);
});

/** The folders that a project compiles. Patterns are left out, because they name data files in these folders. */
function compiledFolders(project: string): string[] {
  const { include } = JSON.parse(readProjectFile(join(project, 'tsconfig.json'))) as { include: string[] };
  return include.filter((folder) => !folder.includes('*')).map((folder) => join(project, folder));
}

test('all that is built comes along, and no test', () => {
  const ignored = readProjectFile('.dockerignore').split('\n');
  const allowed = ignored.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  const folders = [...compiledFolders('.'), ...compiledFolders('packages/plain-english')];
  const isShipped = (folder: string): boolean => !['test', 'bench', 'training'].includes(basename(folder));
  for (const folder of folders)
    expect([folder, allowed.includes(folder)]).toEqual([folder, isShipped(folder)]);
  const tests = folders.filter(isShipped).map((folder) => `${folder}/test`);
  for (const test of tests.filter((path) => existsSync(resolve(PROJECT_ROOT, path))))
    expect([test, ignored.lastIndexOf(test) > ignored.indexOf(`!${dirname(test)}`)]).toEqual([test, true]);
  for (const path of allowed) expect([path, existsSync(resolve(PROJECT_ROOT, path))]).toEqual([path, true]);
});

test('what is copied from outside is let through', () => {
  const copied = instructions('COPY')
    .filter((args) => !args.startsWith('--from'))
    .flatMap((args) => args.split(/\s+/).slice(0, -1));
  for (const path of copied) expect([path, existsSync(resolve(PROJECT_ROOT, path))]).toEqual([path, true]);
});

test('every command of docker-compose.yml and the image is a process that there is', () => {
  const commands = Object.values(composeFile().services)
    .filter(({ image }) => image?.startsWith('holdfast:'))
    .flatMap(({ command }) => command ?? []);
  const own = JSON.parse(instructions('CMD').at(-1) ?? '[]') as string[];
  expect(commands).toHaveLength(3);
  for (const command of [...commands, ...own]) {
    const source = command.replace(/^dist\/(.*)\.js$/, '$1.ts');
    expect([source, existsSync(resolve(PROJECT_ROOT, source))]).toEqual([source, true]);
  }
});
