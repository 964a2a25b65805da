import { buildCost, isBuilt } from './build.mjs';
import { installCost, isInstalled } from './install.mjs';
import { describeCost, say } from './progress.mjs';
import { CLI_VERSION, findTemporalCli } from './temporal-find.mjs';
import { buildCost as temporalCost } from './temporal-go.mjs';

/**
 * Says in one line all that the set-up is going to do, if that is more than one step, before it begins. Each step
 * says its part again when its turn comes.
 *
 * @param {string} root
 * @param {{ needsTemporal: boolean }} options
 * @param {NodeJS.ProcessEnv} [env]
 */
export async function announceSetup(root, { needsTemporal }, env = process.env) {
  const steps = [
    ...(isInstalled(root) ? [] : [`packages (${describeCost(installCost(root))})`]),
    ...(isBuilt(root) ? [] : [`a build (${describeCost(buildCost(root))})`]),
    ...(needsTemporal && (await lacksTemporal(root, env)) ? [describeTemporal(env)] : []),
  ];
  if (steps.length > 1) say(`missing here, and made first: ${steps.join('; ')}`);
}

/** A binary that TEMPORAL_CLI_PATH names is never replaced, so nothing is fetched for it. */
async function lacksTemporal(root, env) {
  return !env.TEMPORAL_CLI_PATH && (await findTemporalCli(root, env)).path === undefined;
}

function describeTemporal(env) {
  const cost = describeCost(temporalCost(env));
  return `Temporal's development server ${CLI_VERSION} (a download; where that fails, a build with Go: ${cost})`;
}
