import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError } from './errors.mjs';
import { withProgress } from './progress.mjs';
import { run } from './run.mjs';
import { CLI_VERSION } from './temporal-find.mjs';

const MODULE = `github.com/temporalio/cli/cmd/temporal@v${CLI_VERSION}`;

/**
 * Builds the binary into `folder`. Go keeps every package that it compiled, so a build that was interrupted
 * goes on where it was.
 *
 * @param {(pid: number) => void} onStart gets the pid of the compiler
 * @returns {Promise<string>} the path of the binary
 * @throws {SetupError} saying in one line why there is none
 */
export async function buildTemporalCli(folder, env, onStart) {
  if ((await run('go', ['version'], { env })).code !== 0) throw new SetupError('Go is not installed');
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const progress = followOutput();
  const result = await withProgress(
    `building Temporal's development server ${CLI_VERSION} with Go (about 10 minutes on 2 cores, once)`,
    () =>
      run('go', ['install', '-v', MODULE], {
        // Go refuses GOBIN together with a foreign GOOS or GOARCH; the binary is for this machine.
        env: { ...env, GOBIN: bin, GOOS: '', GOARCH: '' },
        onStart,
        onLine: progress.onLine,
      }),
    progress.text,
  );
  if (result.code !== 0) throw new SetupError(`go install ${MODULE} failed: ${result.tail}`);
  return join(bin, 'temporal');
}

/** `go install -v` prints a line for each module fetched and then one for each package compiled. */
function followOutput() {
  let fetched = 0;
  let compiled = 0;
  let last = '';
  return {
    onLine(line) {
      if (line.startsWith('go: downloading ')) fetched += 1;
      else if (/^[\w.-]+(\/[\w.@~-]+)*$/.test(line)) {
        compiled += 1;
        last = line;
      }
    },
    text() {
      if (compiled === 0) return fetched === 0 ? '' : `${fetched} modules fetched`;
      return `${compiled} packages compiled, now ${last}`;
    },
  };
}
