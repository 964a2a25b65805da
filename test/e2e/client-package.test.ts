import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { initializeAgent } from '../support/agent';
import { PROJECT_ROOT } from '../support/deployment';
import { LEXICAL } from '../support/memories';
import { streams, startModelServer, type ModelServer, says } from '../support/model-server';
import { hostedBy } from '../support/model-service';
import { type Service, startService } from '../support/service';
import { startStubPeer } from '../support/stub-peer';
import { makeTempDir } from '../support/temp-dir';

/** The project has TypeScript 5; that of this repository is TypeScript 6. */
const TYPESCRIPT_6 = require.resolve('typescript/bin/tsc');
const NODE_TYPES = join(PROJECT_ROOT, 'node_modules', '@types');
const OPTIONS = { target: 'es2022', lib: ['es2022', 'dom'], strict: true, skipLibCheck: false, types: [] };

/** A project elsewhere that installed the packed client. */
let project: string;
let service: Service;
let model: ModelServer;
const dir = makeTempDir();

const npm = (args: readonly string[], cwd: string): string =>
  execFileSync('npm', [...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

beforeAll(async () => {
  const packed = npm(
    ['pack', '-w', 'packages/client', '--json', '--pack-destination', dir.path],
    PROJECT_ROOT,
  );
  // The script that builds the package prints before the JSON.
  const [{ filename }] = JSON.parse(packed.slice(packed.indexOf('['))) as [{ filename: string }];
  project = join(dir.path, 'project');
  mkdirSync(project);
  const dependencies = {
    'holdfast-client': `file:${join(dir.path, filename)}`,
    typescript: '5.9.3',
  };
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({ name: 'project', private: true, dependencies }),
  );
  npm(['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'], project);
  cpSync(join(PROJECT_ROOT, 'packages', 'client', 'test', 'consumer'), project, { recursive: true });
  // The same programs as CommonJS.
  for (const name of ['calls', 'session']) cpSync(join(project, `${name}.mts`), join(project, `${name}.cts`));
  model = await startModelServer();
  service = await startService({ ...LEXICAL, ...hostedBy(model) });
  await initializeAgent(service);
}, 240_000);
afterAll(async () => {
  await service.stop();
  await model.close();
  dir.remove();
});

/** Compiles the files of the project. @returns what the compiler says; empty if they compile */
function compile(tsc: string, files: readonly string[], options: object = { module: 'nodenext' }): string {
  const config = { compilerOptions: { ...OPTIONS, outDir: 'out', ...options }, files };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(config));
  return spawnSync(process.execPath, [tsc, '-p', project], { encoding: 'utf8' }).stdout;
}

/** Runs a compiled program. The servers that it calls are in this process, so this does not block. */
async function runProgram(file: string, url: string): Promise<unknown> {
  const args = [join(project, 'out', file), url];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 60_000 });
  return JSON.parse(stdout);
}

test('the package has what runs and its types, and no other package than its two', () => {
  const installed = join(project, 'node_modules', 'holdfast-client');
  expect(readdirSync(installed).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
  const packages = readdirSync(join(project, 'node_modules')).filter(
    (name) => !/^[.]|^typescript$/.test(name),
  );
  expect(packages.sort()).toEqual([
    'eventsource-parser',
    'holdfast-client',
    'openapi-fetch',
    'openapi-typescript-helpers',
  ]);
});

test('its commands run', () => {
  const help = execFileSync('npx', ['--no-install', 'holdfast-client', '--help'], { cwd: project });
  expect(help.toString()).toMatch(/^holdfast-client COMMAND/);
});

describe.each([
  ['TypeScript 5', () => join(project, 'node_modules', 'typescript', 'bin', 'tsc')],
  ['TypeScript 6', () => TYPESCRIPT_6],
])('%s', (_, tsc) => {
  test.each([
    ['as an ES module and as CommonJS', ['calls.mts', 'calls.cts'], { module: 'nodenext' }],
    ['for a bundler', ['calls.mts'], { module: 'esnext', moduleResolution: 'bundler', noEmit: true }],
    [
      'in Node.js without the library of browsers',
      ['calls.mts'],
      { module: 'nodenext', lib: ['es2022'], types: ['node'], typeRoots: [NODE_TYPES] },
    ],
  ])('takes real calls and refuses wrong ones, %s', (_case, files, options) => {
    expect(compile(tsc(), files, options)).toBe('');
  });
});

test('takes calls under the older resolution of TypeScript 5, which reads no `exports`', () => {
  const tsc = join(project, 'node_modules', 'typescript', 'bin', 'tsc');
  expect(compile(tsc, ['calls.cts'], { module: 'commonjs', moduleResolution: 'node10' })).toBe('');
});

test('programs compile', () => {
  expect(compile(TYPESCRIPT_6, ['session.mts', 'session.cts', 'cuts.mts'])).toBe('');
});

test.each([
  ['an ES module', 'session.mjs'],
  ['CommonJS', 'session.cjs'],
])('a program runs: calls, a run that is followed, an approval, a chat (%s)', async (_, compiled) => {
  model.otherwise((request, response) =>
    (request.body.stream === true ? streams(['Hello ', 'Ada']) : says('{}'))(request, response),
  );
  expect(await runProgram(compiled, service.url)).toEqual({
    sum: 5,
    workflow: 'completed',
    refused: [404, 'TOOL_NOT_FOUND'],
    events: expect.arrayContaining(['run.started', 'step.completed', 'run.completed']),
    ended: 'completed',
    approved: 'approved',
    total: 10,
    cancelled: 'cancelled',
    failed: 'RUN_CANCELLED',
    said: 'Hello Ada',
    answer: 'Hello Ada',
  });
});

test('requests are sent again under one key, and events come once across connections that are cut', async () => {
  const keys: unknown[] = [];
  const after: unknown[] = [];
  const peer = await startStubPeer(({ path, headers }, response) => {
    if (path.startsWith('/api/runs/')) {
      const read = Number(headers['last-event-id'] ?? 0);
      after.push(read);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const type = ['run.started', 'step.completed', 'run.completed'][read];
      response.write(`retry: 1\n\nid: ${read + 1}\nevent: ${type}\ndata: {"type":"${type}"}\n\n`);
      // The second connection is cut in the middle of an event.
      if (read === 1) response.write('data: {"type"', () => response.destroy());
      else response.end();
      return;
    }
    keys.push(headers['idempotency-key']);
    const isWell = keys.length === 3;
    response.writeHead(isWell ? 200 : 503, { 'content-type': 'application/json', 'retry-after': '0' });
    response.end(JSON.stringify({ success: isWell, data: { result: 7 }, code: 'SERVICE_BUSY' }));
  });
  try {
    expect(await runProgram('cuts.mjs', peer.url)).toEqual({
      result: 7,
      events: ['run.started', 'step.completed', 'run.completed'],
      unkeyed: 'SERVICE_BUSY',
    });
    expect(after).toEqual([0, 1, 2]);
    expect(keys).toHaveLength(4);
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys[3]).toBeUndefined();
  } finally {
    await peer.close();
  }
});
