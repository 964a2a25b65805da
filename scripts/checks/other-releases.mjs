import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { SetupError } from '../setup/errors.mjs';
import { withLock } from '../setup/lock.mjs';
import { ensureNodeRuntimes, RUNTIMES_PLATFORM } from '../setup/node-runtimes.mjs';
import { cacheFolder, PROJECT_ROOT } from '../setup/paths.mjs';
import { duration } from '../setup/progress.mjs';
import { run } from '../setup/run.mjs';
import { countResults } from './suites.mjs';
import { addTotals } from './totals.mjs';

/** What a copy keeps between two runs: it takes minutes to make, and the set-up of the copy brings it up to date. */
const KEPT = new Set(['node_modules', 'dist']);
/** What belongs to one checkout alone. */
const NOT_COPIED = new Set([...KEPT, 'data', 'coverage', '.git', '.env', 'holdfast.env']);

/**
 * The suites that other releases of Node.js run: those of `npm test` that start no server, those that call each area of the
 * service, and one of signals. Most differences between releases are in native modules, in streams, in the HTTP server and in
 * signals.
 */
export const SUITES_OF_RELEASES = ['test/unit/', 'test/tour/', 'test/e2e/life-cycle.test.ts'];
const PROJECTS = ['unit', 'tour', 'e2e'];

/**
 * Runs suites on the releases of Node.js that test/runtimes pins, one after another. Each release has a copy of this checkout
 * in the cache folder, with packages and native modules of its own, so that node_modules of the checkout stays as it is.
 *
 * @param {string[]} majors such as `['24']`; empty for all
 * @param {(line: string) => void} print
 * @returns {Promise<import('./totals.mjs').Total>} skipped on a platform for which no package is pinned
 * @throws {SetupError} if a release cannot be had
 */
export async function runOnReleases(majors, print) {
  const platform = `${process.platform}-${process.arch}`;
  if (platform !== RUNTIMES_PLATFORM) {
    const skipped = `other releases of Node.js: test/runtimes pins packages for ${RUNTIMES_PLATFORM} alone, and this is ${platform}`;
    return addTotals([{ ...failed(), skipped: [skipped] }]);
  }
  const runtimes = (await ensureNodeRuntimes(PROJECT_ROOT)).filter(
    ({ version }) => majors.length === 0 || majors.includes(version.split('.')[0]),
  );
  if (runtimes.length === 0) throw new SetupError(`test/runtimes pins no Node.js ${majors.join(', ')}`);
  const totals = [];
  for (const runtime of runtimes) {
    const startedAt = performance.now();
    const total = await tryRuntime(runtime, print);
    const time = duration(performance.now() - startedAt);
    print(`Node.js ${runtime.version}: ${total.passed} passed, ${total.failed} failed, in ${time}`);
    const named = (name) => `Node.js ${runtime.version}: ${name}`;
    totals.push({ ...total, failures: total.failures.map(named), skipped: total.skipped.map(named) });
  }
  return addTotals(totals);
}

/** Runs the suites with a Node.js, in a copy of the checkout that no other run uses at the same time. */
async function tryRuntime({ version, path }, print) {
  const copy = join(cacheFolder(), 'runtimes', version);
  return withLock(`${copy}.lock`, `runs the suites on Node.js ${version}`, async (lock) => {
    // The suites put their temporary files there too, so that none is left of a run that is ended.
    const temporary = mkdtempSync(join(tmpdir(), 'hf-runtimes-'));
    // A suite starts programs of another user, who has to pass through the folder.
    chmodSync(temporary, 0o711);
    const clean = () => {
      rmSync(temporary, { recursive: true, force: true });
      removeSources(copy);
    };
    // A signal ends this process without the rest of this function.
    process.on('exit', clean);
    try {
      removeSources(copy);
      copySources(PROJECT_ROOT, copy);
      const start = (args, onLine) =>
        run(path, args, {
          cwd: copy,
          env: envOf(path, temporary),
          onLine,
          onStart: (pid) => lock.include(pid),
        });
      const setup = await start([join('scripts', 'setup.mjs'), '--temporal'], print);
      if (setup.code !== 0) return failed(`the set-up ended with ${setup.code}`);
      return await runSuites(start, join(temporary, 'results.json'), copy, print);
    } finally {
      process.off('exit', clean);
      clean();
    }
  });
}

const failed = (...failures) => ({ passed: 0, failed: failures.length, failures, skipped: [] });

async function runSuites(start, file, copy, print) {
  const jest = join('node_modules', 'jest', 'bin', 'jest.js');
  const { code } = await start(
    [jest, '--json', '--outputFile', file, ...SUITES_OF_RELEASES, '--selectProjects', ...PROJECTS],
    // A passed suite is no news here: `npm test` has named it already.
    (line) => /^PASS /.test(line) || print(line),
  );
  if (!existsSync(file)) return failed(`jest ended with ${code}`);
  return countResults(JSON.parse(readFileSync(file, 'utf8')), code, copy);
}

/** The environment of this process, with the other Node.js first on PATH and without what npm sets for this one. */
function envOf(node, temporary) {
  const path = `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`;
  const env = { ...process.env, PATH: path, TMPDIR: temporary };
  delete env.npm_config_nodedir;
  delete env.npm_node_execpath;
  // A relative path is relative to the checkout, and not to its copy.
  if (env.HOLDFAST_TEST_MODELS) env.HOLDFAST_TEST_MODELS = resolve(PROJECT_ROOT, env.HOLDFAST_TEST_MODELS);
  return env;
}

function copySources(from, to) {
  cpSync(from, to, {
    recursive: true,
    preserveTimestamps: true,
    filter: (path) => path === from || !(NOT_COPIED.has(basename(path)) || path.endsWith('.log')),
  });
}

/** Removes all of a copy but its packages and its build. */
function removeSources(folder) {
  mkdirSync(folder, { recursive: true });
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (KEPT.has(entry.name)) continue;
    const path = join(folder, entry.name);
    // The builds of the packages are in their folders.
    if (entry.name === 'packages') for (const name of readdirSync(path)) removeSources(join(path, name));
    else rmSync(path, { recursive: true, force: true });
  }
}
