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

/** Runs `npm ci` unless node_modules matches package-lock.json. */
export async function ensureInstalled(root, env = process.env) {
  if (isInstalled(root)) return;
  await withLock(projectLock(root), 'installs the packages', async (lock) => {
    if (isInstalled(root)) return;
    await install(root, env, lock);
    writeFileSync(stampFile(root), expectedStamp(root));
  });
}

/**
 * True when node_modules matches the lock file. The stamp records which lock file was installed for which Node.js,
 * because native modules are built for one ABI. Without a matching stamp, for instance after a manual `npm install`,
 * the record that npm keeps decides.
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

/**
 * npm writes node_modules/.package-lock.json as the last step of an install, so an interrupted install leaves no such
 * file.
 */
function matchesNpmRecord(root) {
  const wanted = readPackages(join(root, 'package-lock.json'));
  const present = readPackages(join(root, 'node_modules', '.package-lock.json'));
  if (!wanted || !present) return false;
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === '') continue;
    const installed = present[path];
    // The lock file also lists optional packages of other platforms, which npm does not install.
    if (installed ? installed.version !== entry.version : !(entry.optional || entry.devOptional))
      return false;
  }
  return Object.keys(present).every((path) => path in wanted);
}

function readPackages(file) {
  const text = readText(file);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text).packages;
  } catch {
    return undefined;
  }
}

/** Refuses a link, because npm ci empties node_modules first and a link may lead to the folder of another checkout. */
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

/** Adds the folder of the Node.js headers for node-gyp. A `nodedir` that the user has set takes precedence. */
function withHeaders(env) {
  const headers = findNodeHeaders();
  return headers === undefined ? env : { npm_config_nodedir: headers, ...env };
}

/** Returns the npm that runs this script, where one does, so that a single version of npm is used. */
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
