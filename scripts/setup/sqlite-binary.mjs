import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError } from './errors.mjs';
import { withLock } from './lock.mjs';
import { needsObjectWrap, withNativeFlags } from './native-flags.mjs';
import { npmCommand } from './npm-command.mjs';
import { projectLock } from './paths.mjs';
import { withProgress } from './progress.mjs';
import { run } from './run.mjs';

/** better-sqlite3 imports this function only if it was compiled with the hook (`object-wrap.h`). */
const REMOVES_HOOK = 'RemoveEnvironmentCleanupHook';

/**
 * Compiles better-sqlite3 again if its binary would end the process at some garbage collection: one of an
 * installation by hand, or a prebuilt one, for a Node.js whose node::ObjectWrap registers a hook.
 *
 * @param {string} root
 * @param {NodeJS.ProcessEnv} [env]
 * @param {string} [version] of the Node.js that loads the binary
 * @throws {SetupError} if it cannot be compiled
 */
export async function ensureSqliteBinary(root, env = process.env, version = process.versions.node) {
  if (!needsObjectWrap(version) || !removesHook(root)) return;
  await withLock(projectLock(root), 'compiles SQLite', async (lock) => {
    if (!removesHook(root)) return;
    const [command, ...prefix] = npmCommand(env);
    const { code, tail } = await withProgress(
      'compiling SQLite, because its binary would end this Node.js',
      () =>
        run(command, [...prefix, 'rebuild', 'better-sqlite3'], {
          cwd: root,
          env: { ...withNativeFlags(env, version), npm_config_build_from_source: 'true' },
          onStart: (pid) => lock.include(pid),
        }),
      { cost: { minutes: 2, folder: join(root, 'node_modules', 'better-sqlite3', 'build') } },
    );
    if (code === 0 && !removesHook(root)) return;
    throw new SetupError(
      `${tail}\n\nbetter-sqlite3 could not be compiled so that it works with Node.js ${version}; the last lines are above. ` +
        'Install a compiler for C++ and Python, or use Node.js 22.',
    );
  });
}

/** False also if there is no binary, which the service reports itself. */
function removesHook(root) {
  const path = join(root, 'node_modules', 'better-sqlite3', 'build', 'Release', 'better_sqlite3.node');
  try {
    return readFileSync(path).includes(REMOVES_HOOK);
  } catch {
    return false;
  }
}
