// `npm run test:api` sends requests made from the two OpenAPI documents to the service as `npm start` runs it, and
// fails if document and answer differ. Arguments after `--` are passed to Schemathesis.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from './checks/running-service.mjs';
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
  const service = await startService({ DATA_DIR: join(folder, 'data') });
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

async function post(url) {
  const answer = await fetch(url, { method: 'POST' });
  if (!answer.ok) throw new SetupError(`${url} answered ${answer.status}: ${await answer.text()}`);
}
