import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError } from './errors.mjs';
import { withProgress } from './progress.mjs';
import { run } from './run.mjs';

/**
 * Builds programs of a module with Go into `folder`. Go keeps every package that it compiled, so a build that was
 * interrupted goes on where it was.
 *
 * @param {{ title: string, packages: string[], folder: string, env: NodeJS.ProcessEnv,
 *           onStart: (pid: number) => void }} options `packages`: of one module, each with its version, as in
 *   `example.com/module/cmd/program@v1.2.3`; `onStart` gets the pid of the compiler
 * @returns {Promise<string>} the folder of the binaries, which have the last part of each package's path as their name
 * @throws {SetupError} saying in one line why there is none
 */
export async function goInstall({ title, packages, folder, env, onStart }) {
  if ((await run('go', ['version'], { env })).code !== 0) throw new SetupError('Go is not installed');
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const progress = followOutput();
  const result = await withProgress(
    title,
    () =>
      run('go', ['install', '-v', ...packages], {
        // Go refuses GOBIN together with a foreign GOOS or GOARCH; the binaries are for this machine.
        env: { ...env, GOBIN: bin, GOOS: '', GOARCH: '' },
        onStart,
        onLine: progress.onLine,
      }),
    progress.text,
  );
  if (result.code !== 0) throw new SetupError(`go install ${packages.join(' ')} failed: ${result.tail}`);
  return bin;
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
