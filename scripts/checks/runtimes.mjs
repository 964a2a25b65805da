// Runs suites on other releases of Node.js: `node scripts/checks/runtimes.mjs`, or `node scripts/checks/runtimes.mjs 24` for one.
// `npm run test:all` does so at its end.
import { runMain } from '../setup/errors.mjs';
import { runOnReleases } from './other-releases.mjs';
import { describeTotal } from './totals.mjs';

await runMain(async () => {
  const print = (line) => process.stdout.write(`${line}\n`);
  const total = await runOnReleases(process.argv.slice(2), print);
  for (const line of describeTotal(total)) print(line);
  if (total.failed > 0) process.exitCode = 1;
});
