// `npm run test:api` sends requests made from the two OpenAPI documents to the service as `npm start` runs it, and
// fails where document and answer differ. Arguments after `--` are passed to Schemathesis.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runMain, SetupError } from './setup/errors.mjs';
import { PROJECT_ROOT } from './setup/paths.mjs';
import { run } from './setup/run.mjs';
import { ensureSchemathesis } from './setup/schemathesis.mjs';

const DOCUMENTS = join(PROJECT_ROOT, 'test', 'openapi');
/** Areas that are initialized first, because each of their requests would otherwise be refused as not initialized. */
const INITIALIZED = ['agent', 'memory-chat', 'intent-classifier'];

const folder = mkdtempSync(join(tmpdir(), 'holdfast-api-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

await runMain(async () => {
  const program = await ensureSchemathesis(PROJECT_ROOT);
  const service = await startService(join(folder, 'data'));
  let failed = 0;
  try {
    for (const area of INITIALIZED) await post(`${service.api}/api/${area}/initialize`);
    for (const url of [service.api, service.records]) failed += (await explore(program, url)) ? 0 : 1;
  } finally {
    await service.stop();
  }
  process.stdout.write(`${2 - failed} passed, ${failed} failed\n`);
  if (failed > 0) process.exitCode = 1;
});

/** @returns {Promise<boolean>} whether document and answers agree */
async function explore(program, url) {
  const config = join(DOCUMENTS, 'schemathesis.toml');
  const args = ['--config-file', config, 'run', `${url}/api/openapi.json`, ...process.argv.slice(2)];
  const env = { ...process.env, PYTHONPATH: DOCUMENTS, PYTHONDONTWRITEBYTECODE: '1' };
  // Schemathesis keeps its database of examples in the working directory.
  const { code } = await run(program, args, { cwd: folder, env, onLine: say });
  return code === 0;
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

async function startService(dataDir) {
  const [temporalPort, uiPort] = await findFreePorts(2);
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    DATA_DIR: dataDir,
    PORT: '0',
    RECORDS_PORT: '0',
    TEMPORAL_PORT: String(temporalPort),
    TEMPORAL_UI_PORT: String(uiPort),
    LOG_FORMAT: 'json',
  };
  let pid;
  let isUp;
  const up = new Promise((resolve) => (isUp = resolve));
  const onLine = (line) => line.includes('"holdfast is up"') && isUp(JSON.parse(line));
  const start = join(PROJECT_ROOT, 'dist', 'bin', 'start.js');
  const ended = run(process.execPath, [start], { env, onLine, onStart: (started) => (pid = started) });
  const { api, records, tail } = await Promise.race([up, ended]);
  if (api === undefined) throw new SetupError(`The service did not start: ${tail}`);
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  const stop = async () => {
    if (!hasEnded) process.kill(pid, 'SIGTERM');
    const { code, tail: lastLines } = await ended;
    if (code !== 0) throw new SetupError(`The service ended with code ${code}: ${lastLines}`);
  };
  return { api, records, stop };
}

async function findFreePorts(count) {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise((done) => server.listen(0, '127.0.0.1', done));
      return server;
    }),
  );
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  return ports;
}

async function post(url) {
  const answer = await fetch(url, { method: 'POST' });
  if (!answer.ok) throw new SetupError(`${url} answered ${answer.status}: ${await answer.text()}`);
}
