// `npm run test:mcp` runs the official conformance suite of the Model Context Protocol against the service, with fixtures
// that only this test adds. It fails if a required scenario or one of the extension for tasks fails. Arguments after
// `--` are passed to the suite, which then runs them alone: `npm run test:mcp -- --scenario tasks-lifecycle`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProgram, startService } from './checks/running-service.mjs';
import { runMain } from './setup/errors.mjs';
import { ensureMcpConformance } from './setup/mcp-conformance.mjs';
import { PROJECT_ROOT } from './setup/paths.mjs';
import { run } from './setup/run.mjs';

/** The revisions whose requirements the service meets. */
const REVISIONS = ['2025-11-25', '2026-07-28'];
/** A scenario in the summary of the suite; one with a reason is not required. */
const SCENARIO = /^\s*([✓✗]) ([\w-]+)(?:: (\d+) passed, (\d+) failed| \((\S+)\))$/;
/** The reason of scenarios of the extension for tasks. The suite runs them, and this script requires them. */
const EXTENSION = 'extension';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-mcp-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

await runMain(async () => {
  const conformance = await ensureMcpConformance(PROJECT_ROOT);
  const env = { DATA_DIR: join(folder, 'data'), EGRESS_ALLOW_PRIVATE: 'true' };
  const service = await startService(env);
  const total = { passed: 0, failed: 0 };
  const results = [];
  try {
    const fixtures = { ...env, PORT: '0', TEMPORAL_ADDRESS: service.temporal };
    const program = join(PROJECT_ROOT, 'dist', 'test', 'mcp', 'api.js');
    const api = await startProgram(program, fixtures, 'the API with fixtures is up');
    try {
      const url = `${api.url}/mcp`;
      const asked = process.argv.slice(2);
      if (asked.length > 0) {
        process.exitCode = (await runSuite(conformance, url, asked)).code;
        return;
      }
      for (const revision of REVISIONS) {
        const counts = await runSuite(conformance, url, ['--requirements', revision]);
        results.push(`${revision}: ${counts.passed} passed, ${counts.failed} failed`);
        total.passed += counts.passed;
        total.failed += counts.failed;
      }
    } finally {
      await api.stop();
    }
  } finally {
    await service.stop();
  }
  for (const line of results) process.stdout.write(`${line}\n`);
  process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
  if (total.failed > 0 || total.passed === 0) process.exitCode = 1;
});

/**
 * Runs the suite and counts the scenarios that have to pass. Its exit code says whether all that the suite requires passed.
 * A scenario without a check was skipped by the suite.
 */
async function runSuite({ node, suite }, url, args) {
  const results = new Map();
  const reasons = new Map();
  const { code } = await run(node, [suite, 'server', '--url', url, '-o', join(folder, 'results'), ...args], {
    cwd: folder,
    onLine(line) {
      process.stdout.write(`${line}\n`);
      const [, mark, name, passed, failed, reason] = SCENARIO.exec(line) ?? [];
      if (reason !== undefined) reasons.set(name, reason);
      else if (name !== undefined) results.set(name, { mark, checks: Number(passed) + Number(failed) });
    },
  });
  const counted = [...results].filter(
    ([name, { checks }]) => checks > 0 && (reasons.get(name) ?? EXTENSION) === EXTENSION,
  );
  const passed = counted.filter(([, { mark }]) => mark === '✓').length;
  const failed = counted.length - passed;
  return { code, passed, failed: code === 0 ? failed : Math.max(failed, 1) };
}
