import { dirname, join } from 'node:path';
import { goInstall } from './go-install.mjs';
import { cachedCli, CLI_VERSION } from './temporal-find.mjs';

/** What the build costs. Go keeps the modules and what it compiled in folders of its own, which may be emptied. */
export const buildCost = (env) => ({
  fetches: 290,
  minutes: 10,
  folder: dirname(cachedCli(env)),
  keeps: 250,
});

/**
 * Builds the binary into `folder`.
 *
 * @param {(pid: number) => void} onStart called with the pid of the compiler
 * @returns {Promise<string>} the path of the binary
 * @throws {SetupError} with the reason in one line if it cannot be built
 */
export async function buildTemporalCli(folder, env, onStart) {
  const bin = await goInstall({
    title: `building Temporal's development server ${CLI_VERSION} with Go`,
    cost: buildCost(env),
    packages: [`github.com/temporalio/cli/cmd/temporal@v${CLI_VERSION}`],
    folder,
    env,
    onStart,
  });
  return join(bin, 'temporal');
}
