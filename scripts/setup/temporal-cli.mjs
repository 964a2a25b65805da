import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { SetupError } from './errors.mjs';
import { withLock } from './lock.mjs';
import { say } from './progress.mjs';
import { makeScratchFolder } from './scratch.mjs';
import { downloadTemporalCli } from './temporal-download.mjs';
import { cachedCli, findFault, findTemporalCli } from './temporal-find.mjs';
import { buildTemporalCli } from './temporal-go.mjs';

const WHAT_TO_DO = `Do one of these, then try again:
  - install the Temporal CLI, 1.5 or later, so that \`temporal\` is on PATH (https://docs.temporal.io/cli);
  - set TEMPORAL_CLI_PATH to the path of its binary;
  - install Go, with which the binary can be built here;
  - set TEMPORAL_ADDRESS to a Temporal server that runs already (for npm start, not for npm test).`;

/**
 * Finds, downloads or builds Temporal's development server, and records its path for the services.
 *
 * @returns {Promise<string>} the path of the binary
 */
export async function ensureTemporalCli(root, env = process.env) {
  const found = await findTemporalCli(root, env);
  if (found.path) return found.path;
  if (env.TEMPORAL_CLI_PATH) {
    throw new SetupError(`TEMPORAL_CLI_PATH does not name a usable binary: ${found.faults.join('; ')}.`);
  }
  if (process.platform !== 'linux' && process.platform !== 'darwin') {
    throw new SetupError(
      `Temporal's development server is set up on Linux and macOS only. On Windows use WSL, or set ` +
        `TEMPORAL_CLI_PATH or TEMPORAL_ADDRESS.`,
    );
  }
  for (const fault of found.faults) say(`passed over: ${fault}`);
  const target = cachedCli(env);
  await withLock(`${dirname(target)}.lock`, `gets Temporal's development server`, async (lock) => {
    if ((await findTemporalCli(root, env)).path) return;
    await obtain(target, env, (pid) => lock.include(pid));
  });
  const path = (await findTemporalCli(root, env)).path;
  if (!path) throw new SetupError(`${target} went away while it was being set up. Try again.`);
  return path;
}

/** Downloads or builds the binary in a scratch folder beside the target, tries it, and then moves it by one rename. */
async function obtain(target, env, onStart) {
  const versions = dirname(dirname(target));
  const failures = [];
  for (const [name, get] of [
    ['download', downloadTemporalCli],
    ['build', buildTemporalCli],
  ]) {
    const scratch = makeScratchFolder(versions);
    try {
      const binary = await get(scratch, env, onStart);
      const fault = await findFault(binary);
      if (fault) throw new SetupError(`the binary ${fault}`);
      putInPlace(binary, target);
      return;
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      say(`no ${name} of Temporal's development server: ${error.message}`);
      failures.push(`  - ${name}: ${error.message}`);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  }
  throw new SetupError(
    `Temporal's development server was not found, and could not be downloaded or built.\n${failures.join('\n')}\n${WHAT_TO_DO}`,
  );
}

function putInPlace(binary, target) {
  const descriptor = openSync(binary, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
  mkdirSync(dirname(target), { recursive: true });
  renameSync(binary, target);
}
