import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError } from './errors.mjs';
import { withLock } from './lock.mjs';
import { findNodeHeaders } from './node-headers.mjs';
import { projectLock } from './paths.mjs';
import { withProgress } from './progress.mjs';
import { run } from './run.mjs';

const stampFile = (root) => join(root, 'node_modules', '.holdfast-stamp');

/** Runs `npm ci` unless node_modules is in step with package-lock.json. */
export async function ensureInstalled(root, env = process.env) {
  if (isInstalled(root)) return;
  await withLock(projectLock(root), 'installs the packages', async (lock) => {
    if (isInstalled(root)) return;
    await install(root, env, lock);
    writeFileSync(stampFile(root), expectedStamp(root));
  });
}

/**
 * The stamp says that this lock file was installed for this Node (native modules are built for one ABI).
 * Without a fitting stamp, for instance after a hand-typed `npm install`, npm's own record decides.
 */
export function isInstalled(root) {
  const stamp = expectedStamp(root);
  if (readText(stampFile(root)) === stamp) return true;
  if (existsSync(stampFile(root)) && !sameRuntime(readText(stampFile(root)), stamp)) return false;
  if (!matchesNpmRecord(root)) return false;
  writeFileSync(stampFile(root), stamp);
  return true;
}

function expectedStamp(root) {
  const lock = readText(join(root, 'package-lock.json'));
  if (lock === undefined) throw new SetupError(`package-lock.json is missing in ${root}.`);
  const runtime = `${process.platform} ${process.arch} abi ${process.versions.modules}`;
  return `${runtime}\n${createHash('sha256').update(lock).digest('hex')}\n`;
}

const sameRuntime = (left, right) => left?.split('\n')[0] === right.split('\n')[0];

/** npm writes node_modules/.package-lock.json as the last step of an install: a broken one leaves none. */
function matchesNpmRecord(root) {
  const wanted = packagesOf(join(root, 'package-lock.json'));
  const present = packagesOf(join(root, 'node_modules', '.package-lock.json'));
  if (!wanted || !present) return false;
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === '') continue;
    const installed = present[path];
    // Optional packages of other platforms are in the lock file and are rightly not installed.
    if (installed ? installed.version !== entry.version : !(entry.optional || entry.devOptional))
      return false;
  }
  return Object.keys(present).every((path) => path in wanted);
}

function packagesOf(file) {
  const text = readText(file);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text).packages;
  } catch {
    return undefined;
  }
}

/** npm ci empties node_modules first: behind a link that is the folder of another checkout. */
function refuseLink(folder) {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  throw new SetupError(
    `${folder} is a link${existsSync(folder) ? ` to ${realpathSync(folder)}` : ''}, and its packages are not those ` +
      'of package-lock.json. Installing through it would empty that folder. Remove the link and run this again.',
  );
}

async function install(root, env, lock) {
  refuseLink(join(root, 'node_modules'));
  // Development packages are needed to build; NODE_ENV=production would leave them out.
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const [command, ...prefix] = npmCommand(env);
  const result = await withProgress('installing packages (npm ci)', () =>
    run(command, [...prefix, ...args], {
      cwd: root,
      env: withHeaders(env),
      onStart: (pid) => lock.include(pid),
    }),
  );
  if (result.code !== 0) {
    throw new SetupError(`${result.tail}\n\nnpm ci failed (code ${result.code}); its last lines are above.`);
  }
}

/** A `nodedir` that the user set stands. */
function withHeaders(env) {
  const headers = findNodeHeaders();
  return headers === undefined ? env : { npm_config_nodedir: headers, ...env };
}

/** The npm that runs this script, where there is one, so that one version does everything. */
function npmCommand(env) {
  const path = env.npm_execpath;
  return path && /npm-cli\.c?js$/.test(path) ? [process.execPath, path] : ['npm'];
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
