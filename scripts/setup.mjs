// Provides all that the npm scripts of a checkout need: packages, compiled sources and Temporal's development
// server. If all of it exists, the script prints nothing and ends at once. It needs Node.js alone.
import { runMain } from './setup/errors.mjs';
import { ensureBuilt } from './setup/build.mjs';
import { ensureInstalled } from './setup/install.mjs';
import { needsTemporalCli } from './setup/needs.mjs';
import { checkNodeVersion } from './setup/node-version.mjs';
import { announceSetup } from './setup/plan.mjs';
import { PROJECT_ROOT } from './setup/paths.mjs';
import { ensureSqliteBinary } from './setup/sqlite-binary.mjs';
import { ensureTemporalCli } from './setup/temporal-cli.mjs';

await runMain(async () => {
  checkNodeVersion(PROJECT_ROOT);
  const needsTemporal = needsTemporalCli(process.argv.slice(2), process.env);
  await announceSetup(PROJECT_ROOT, { needsTemporal });
  await ensureInstalled(PROJECT_ROOT);
  await ensureSqliteBinary(PROJECT_ROOT);
  await ensureBuilt(PROJECT_ROOT);
  if (needsTemporal) await ensureTemporalCli(PROJECT_ROOT);
});
