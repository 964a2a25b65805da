import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../support/free-port';
import { TRIED_SERVER } from '../../../../temporal/dev-server/server-version';
import { startDevServer } from '../../../../temporal/dev-server/start-dev-server';
import { ROOT } from '../../../support/fixture-project';
import { makeTempDir, type TempDir } from '../../../support/temp-dir';

const STARTED = 'the stand-in was started';

let programs: TempDir;
let data: TempDir;
let warnings: { readonly message: string; readonly context: object }[];
beforeEach(() => {
  programs = makeTempDir();
  data = makeTempDir();
  warnings = [];
});
afterEach(() => {
  programs.remove();
  data.remove();
});

/** A stand-in for `temporal` that has a version, and ends as soon as it is started as a server. */
function makeCli(version: string): string {
  const path = join(programs.path, 'temporal');
  const script = `#!/bin/sh
if [ "$1" = --version ]; then echo '${version}'; exit 0; fi
echo '${STARTED}'; exit 3
`;
  writeFileSync(path, script);
  chmodSync(path, 0o755);
  return path;
}

const ofServer = (version: string): string => `temporal version 9.9.9 (Server ${version}, UI 2.42.1)`;

async function start(cliPath: string): Promise<unknown> {
  const ignore = (): void => undefined;
  return startDevServer({
    cliPath,
    host: '127.0.0.1',
    port: await freePort(),
    uiPort: await freePort(),
    dataDir: data.path,
    namespace: 'default',
    retentionDays: 30,
    searchAttributes: {},
    logger: {
      info: ignore,
      error: ignore,
      warn: (context, message) => void warnings.push({ message, context }),
    },
  });
}

/** Writes the files that an earlier start has left. Without a marker they are of a build that wrote none. */
function leave(marker?: string): void {
  writeFileSync(join(data.path, 'temporal.db'), 'rows');
  if (marker !== undefined) writeFileSync(join(data.path, 'temporal.version'), `${marker}\n`);
}

const readFiles = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(data.path).map((name) => [name, readFileSync(join(data.path, name), 'utf8')]),
  );
const marker = (): string => readFileSync(join(data.path, 'temporal.version'), 'utf8').trim();
const expectStarted = (attempt: Promise<unknown>): Promise<void> =>
  expect(attempt).rejects.toMatchObject({
    code: 'ENGINE_UNAVAILABLE',
    message: expect.stringContaining(STARTED),
  });

describe('a folder that a server of another minor version wrote', () => {
  test.each([
    ['of an earlier build, with a newer server', undefined, '1.32.0', '1.29.1'],
    ['of an older server, with a newer one', '1.29.3', '1.32.0', '1.29.3'],
    ['of a newer server, with an older one', '1.32.0', '1.29.1', '1.32.0'],
    ['of another major version', '1.29.1', '2.29.1', '1.29.1'],
  ])('%s: is refused, and nothing is written', async (_case, left, version, writer) => {
    leave(left);
    const before = readFiles();
    const cliPath = makeCli(ofServer(version));
    const minor = writer.replace(/\.\d+$/, '');
    await expect(start(cliPath)).rejects.toMatchObject({
      code: 'CONFIGURATION',
      message:
        `DATA_DIR (${data.path}) was written by Temporal server ${writer}, and ${cliPath} has server ${version}, which ` +
        `cannot use its database: set TEMPORAL_CLI_PATH to a Temporal CLI with server ${minor}` +
        `${minor === '1.29' ? ' (such as CLI 1.5.1)' : ''}, or choose another DATA_DIR.`,
    });
    expect(readFiles()).toEqual(before);
    expect(warnings).toEqual([]);
  });
});

describe('a folder is taken', () => {
  test.each([
    ['of an earlier build, with the server of today', undefined, TRIED_SERVER],
    ['of the same server', '1.29.1', '1.29.1'],
    ['of another patch version', '1.29.1', '1.29.4'],
    ['of a later patch version', '1.29.4', '1.29.1'],
  ])('%s, and says its version from then on', async (_case, left, version) => {
    leave(left);
    await expectStarted(start(makeCli(ofServer(version))));
    expect(marker()).toBe(version);
    expect(warnings).toEqual([]);
  });

  test('by an untried server where no database is in it, with a warning', async () => {
    // A start that failed before the server wrote a database leaves a marker, which says nothing about one.
    writeFileSync(join(data.path, 'temporal.version'), '1.30.0\n');
    const cliPath = makeCli(ofServer('1.32.0'));
    await expectStarted(start(cliPath));
    expect(marker()).toBe('1.32.0');
    expect(warnings).toEqual([
      {
        message: 'this build is tried with Temporal server 1.29.1, and not with this one',
        context: { server: '1.32.0', cliPath },
      },
    ]);
  });
});

test('a marker without a version is refused, with what to do', async () => {
  leave('half');
  await expect(start(makeCli(ofServer('1.29.1')))).rejects.toMatchObject({
    code: 'CONFIGURATION',
    message: expect.stringMatching(/temporal\.version does not hold the version .*: restore it, or write /),
  });
});

test.each([
  ['another program', 'tctl version 1.18.0'],
  ['a release that names no server', 'temporal version 1.5.1'],
])('%s is refused, and nothing is written', async (_case, version) => {
  await expect(start(makeCli(version))).rejects.toMatchObject({
    code: 'CONFIGURATION',
    message: expect.stringMatching(/ does not report the version of a Temporal server by --version\.$/),
  });
  expect(existsSync(join(data.path, 'temporal.pid'))).toBe(false);
});

test('the set-up and the documents name the server that is tried', () => {
  const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
  expect(read('scripts/setup/temporal-server.mjs')).toContain(`SERVER_VERSION = '${TRIED_SERVER}'`);
  const cli = /CLI_VERSION = '([\d.]+)'/.exec(read('scripts/setup/temporal-find.mjs'))?.[1];
  expect(read('docs/operators/upgrading.md')).toContain(`Temporal CLI ${cli}, with server ${TRIED_SERVER}`);
});
