// Runs all checks and all suites. With arguments, as in `npm test -- calculator`, it runs jest alone with these
// arguments.
import { runChecks, staticChecks } from './checks/static.mjs';
import { fetchServers, runSuites } from './checks/suites.mjs';
import { PROJECT_ROOT } from './setup/paths.mjs';

const args = process.argv.slice(2);
const total = { passed: 0, failed: 0, failures: [], skipped: [] };

const suites = {
  name: 'suites',
  async run() {
    Object.assign(total, await runSuites(PROJECT_ROOT, args));
    return total.failed === 0;
  },
};
// The checks use the time in which suites wait.
const checking = runChecks(args.length === 0 ? staticChecks(PROJECT_ROOT) : []);
if (args.length === 0) await fetchServers(PROJECT_ROOT);
await runChecks([suites]);
const checks = await checking;

// They stand at the end, because the start of a long output is often cut off.
for (const name of total.failures) process.stdout.write(`failed: ${name}\n`);
for (const name of total.skipped) process.stdout.write(`skipped: ${name}\n`);
const passed = total.passed + checks.passed;
const failed = total.failed + checks.failed;
const skipped = total.skipped.length > 0 ? `, ${total.skipped.length} skipped` : '';
process.stdout.write(`${passed} passed, ${failed} failed${skipped}\n`);
if (failed > 0 || total.passed === 0) process.exitCode = 1;
