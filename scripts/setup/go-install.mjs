import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError } from './errors.mjs';
import { withProgress } from './progress.mjs';
import { run } from './run.mjs';

/**
 * Builds programs of a module with Go into `folder`. Go keeps every package that it compiled, so a build that was
 * interrupted continues where it stopped.
 *
 * @param {{ title: string, cost: import('./progress.mjs').Cost, packages: string[], folder: string, env: NodeJS.ProcessEnv,
 *           onStart: (pid: number) => void }} options `packages` are packages of one module, each with its version,
 *           as in
 *   `example.com/module/cmd/program@v1.2.3`; `onStart` is called with the pid of the compiler
 * @returns {Promise<string>} the folder of the binaries; each has the last part of its package's path as its name
 * @throws {SetupError} with the reason in one line if they cannot be built
 */
export async function goInstall({ title, cost, packages, folder, env, onStart }) {
  if ((await run('go', ['version'], { env })).code !== 0) throw new SetupError('Go is not installed');
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const progress = followOutput();
  const result = await withProgress(
    title,
    () =>
      run('go', ['install', '-v', ...packages], {
        // The binaries are for this machine, and Go refuses GOBIN together with a foreign GOOS or GOARCH.
        env: { ...env, GOBIN: bin, GOOS: '', GOARCH: '' },
        onStart,
        onLine: progress.onLine,
      }),
    { cost, detail: progress.text },
  );
  if (result.code !== 0) throw new SetupError(`go install ${packages.join(' ')} failed: ${result.tail}`);
  return bin;
}

/**
 * Follows the output of `go install -v`, which prints a line for each fetched module and one for each compiled
 * package.
 */
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
