// Brings a checkout to the point where its npm scripts can run: packages, compiled sources, Temporal's
// development server. Says nothing and is done at once where all is there. Needs nothing but Node.js.
import { runMain } from './setup/errors.mjs';
import { ensureBuilt } from './setup/build.mjs';
import { ensureInstalled } from './setup/install.mjs';
import { needsTemporalCli } from './setup/needs.mjs';
import { PROJECT_ROOT } from './setup/paths.mjs';
import { ensureTemporalCli } from './setup/temporal-cli.mjs';

await runMain(async () => {
  await ensureInstalled(PROJECT_ROOT);
  await ensureBuilt(PROJECT_ROOT);
  if (needsTemporalCli(process.argv.slice(2), process.env)) await ensureTemporalCli(PROJECT_ROOT);
});
