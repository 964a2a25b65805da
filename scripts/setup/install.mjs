import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError } from './errors.mjs';
import { withLock } from './lock.mjs';
import { withNativeFlags } from './native-flags.mjs';
import { npmCommand } from './npm-command.mjs';
import { projectLock } from './paths.mjs';
import { withProgress } from './progress.mjs';
import { run } from './run.mjs';

const stampFile = (root) => join(root, 'node_modules', '.holdfast-stamp');

/** What an install costs if npm has no package in its own cache. A part of the time is compiling SQLite. */
export const installCost = (root) => ({
  fetches: 320,
  minutes: 2,
  folder: join(root, 'node_modules'),
  keeps: 790,
});

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
  const result = await withProgress(
    'installing packages by npm ci',
    () =>
      run(command, [...prefix, ...args], {
        cwd: root,
        env: withNativeFlags(env),
        onStart: (pid) => lock.include(pid),
      }),
    { cost: installCost(root) },
  );
  if (result.code !== 0) {
    throw new SetupError(`${result.tail}\n\nnpm ci failed (code ${result.code}); its last lines are above.`);
  }
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
