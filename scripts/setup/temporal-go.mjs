import { join } from 'node:path';
import { goInstall } from './go-install.mjs';
import { CLI_VERSION } from './temporal-find.mjs';

/**
 * Builds the binary into `folder`.
 *
 * @param {(pid: number) => void} onStart called with the pid of the compiler
 * @returns {Promise<string>} the path of the binary
 * @throws {SetupError} with the reason in one line where it cannot be built
 */
export async function buildTemporalCli(folder, env, onStart) {
  const bin = await goInstall({
    title: `building Temporal's development server ${CLI_VERSION} with Go (about 10 minutes on 2 cores, once)`,
    packages: [`github.com/temporalio/cli/cmd/temporal@v${CLI_VERSION}`],
    folder,
    env,
    onStart,
  });
  return join(bin, 'temporal');
}
