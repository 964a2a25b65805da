import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTempDir, type TempDir } from '../../support/temp-dir';
import { runModule, type ScriptProcess } from '../../support/run-module';

let folder: TempDir;
const at = (...parts: string[]): string => join(folder.path, ...parts);
beforeEach(() => {
  folder = makeTempDir();
  mkdirSync(at('bin'));
});
afterEach(() => folder.remove());

function install(name: string, script: string): void {
  writeFileSync(at('bin', name), `#!/bin/sh\n${script}\n`);
  chmodSync(at('bin', name), 0o755);
}

const COSTS: [cost: object, text: string][] = [
  [{}, ''],
  [{ fetches: 61.2 }, 'about 62 MB to fetch'],
  [{ minutes: 1, folder: '/a' }, 'about 1 minute on 2 cores, kept in /a'],
  [
    { fetches: 290, minutes: 10, folder: '/a/b', keeps: 250 },
    'about 290 MB to fetch, about 10 minutes on 2 cores, kept in /a/b (250 MB)',
  ],
];

test('a cost is described by what is known of it', async () => {
  const costs = JSON.stringify(COSTS.map(([cost]) => cost));
  const { result } = runModule(['setup/progress.mjs'], `return ${costs}.map(scripts.describeCost);`);
  expect(await result).toEqual(COSTS.map(([, text]) => text));
});

test('a step says its cost before it begins, and not again at its end', async () => {
  const script = runModule(
    ['setup/progress.mjs'],
    `await scripts.withProgress('fetching', async () => scripts.say('at work'), { cost: { fetches: 3, folder: '/a' } });`,
  );
  await script.result;
  expect(script.messages()).toBe(
    'setup: fetching (about 3 MB to fetch, kept in /a) ...\nsetup: at work\nsetup: fetching: done in 0 s\n',
  );
});

describe('the set-up of a checkout', () => {
  const announce = (needsTemporal: boolean, env = {}): ScriptProcess =>
    runModule(
      ['setup/plan.mjs'],
      `await scripts.announceSetup(${JSON.stringify(at('project'))}, { needsTemporal: ${needsTemporal} }, process.env);`,
      { PATH: at('bin'), HOLDFAST_CACHE_DIR: at('cache'), ...env },
    );
  const packages = (): string =>
    `packages (about 320 MB to fetch, about 2 minutes on 2 cores, kept in ${at('project', 'node_modules')} (790 MB))`;
  const build = (): string => `a build (about 1 minute on 2 cores, kept in ${at('project', 'dist')} (30 MB))`;

  beforeEach(() => {
    mkdirSync(at('project'));
    writeFileSync(at('project', 'package-lock.json'), '{"packages":{}}');
    writeFileSync(at('project', 'tsconfig.json'), '{"include":[]}');
  });

  test('says all that is missing in one line, before the first step', async () => {
    const script = announce(true);
    await script.result;
    expect(script.messages()).toBe(
      `setup: missing here, and made first: ${packages()}; ${build()}; Temporal's development server 1.5.1 ` +
        '(a download; where that fails, a build with Go: about 290 MB to fetch, about 10 minutes on 2 cores, ' +
        `kept in ${at('cache', 'temporal', '1.5.1')} (250 MB))\n`,
    );
  });

  test.each([
    ['it is not needed', false, ''],
    ['one is on PATH', true, 'temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)'],
  ])('does not name the server where %s', async (_case, needsTemporal, version) => {
    if (version !== '') install('temporal', `echo '${version}'`);
    const script = announce(needsTemporal);
    await script.result;
    expect(script.messages()).toBe(`setup: missing here, and made first: ${packages()}; ${build()}\n`);
  });

  test('says nothing ahead of a single step, which says its own line', async () => {
    mkdirSync(at('project', 'node_modules'));
    writeFileSync(at('project', 'node_modules', '.package-lock.json'), '{"packages":{}}');
    const script = announce(false);
    await script.result;
    expect(script.messages()).toBe('');
  });
});

test.each([
  [
    '2',
    'Need to get 1,234 MB of archives.',
    'After this operation, 2.5 GB of additional disk space will be used.',
  ],
  ['3', '  Download size: 1,234 MB', '  Space needed:  2.5 GB / 70.1 GB available'],
])('what apt-get %s is going to fetch is said before it does', async (_release, fetches, keeps) => {
  install('sudo', 'shift; exec "$@"');
  install(
    'apt-get',
    `case "$*" in
      *--assume-no*) echo '${fetches}'; echo '${keeps}'; exit 1 ;;
      install*) echo "installs" >> ${at('calls')} ;;
    esac`,
  );
  const script = runModule(['setup/system-packages.mjs'], '', { PATH: at('bin') });
  await script.result;
  expect(script.messages()).toMatch(
    /\nsetup: installing .*chromium.* with apt-get \(about 1234 MB to fetch, kept in the system's folders \(2500 MB\)\) \.\.\.\n/,
  );
});
