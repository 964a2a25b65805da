import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SetupError } from './errors.mjs';
import { goInstall } from './go-install.mjs';
import { withLock } from './lock.mjs';
import { cacheFolder } from './paths.mjs';
import { makeScratchFolder } from './scratch.mjs';

/** The release that the development server contains too. */
const SERVER_VERSION = '1.29.1';
const UI_VERSION = '2.42.1';

const SERVER_MODULE = 'go.temporal.io/server/cmd';
const UI_MODULE = 'github.com/temporalio/ui-server/v2/cmd';

/**
 * Temporal's production server, the tool that sets up its databases, and its UI, whose binary contains its pages.
 * Temporal publishes no packages of them for npm, so Go builds them, all of one module in one build.
 */
const BUILDS = [
  {
    folder: (env) => join(cacheFolder(env), 'temporal-server', SERVER_VERSION),
    title: `building Temporal's production server ${SERVER_VERSION} with Go`,
    cost: { fetches: 250, minutes: 6 },
    packages: [`${SERVER_MODULE}/server@v${SERVER_VERSION}`, `${SERVER_MODULE}/tools/sql@v${SERVER_VERSION}`],
    names: { server: 'temporal-server', sql: 'temporal-sql-tool' },
  },
  {
    folder: (env) => join(cacheFolder(env), 'temporal-ui', UI_VERSION),
    title: `building Temporal's UI ${UI_VERSION} with Go`,
    cost: { fetches: 80, minutes: 1 },
    packages: [`${UI_MODULE}/server@v${UI_VERSION}`],
    names: { server: 'temporal-ui' },
  },
];

/**
 * Builds what is not in the cache yet.
 *
 * @returns {Promise<{ server: string, sqlTool: string, ui: string }>} the paths of the binaries
 * @throws {SetupError} if Go is missing or cannot build them
 */
export async function ensureTemporalServer(env = process.env) {
  for (const build of BUILDS) await ensureBuild(build, env);
  const [server, ui] = BUILDS.map(({ folder }) => folder(env));
  return {
    server: join(server, 'temporal-server'),
    sqlTool: join(server, 'temporal-sql-tool'),
    ui: join(ui, 'temporal-ui'),
  };
}

/** Whether Go still has to build one of them. */
export function lacksTemporalServer(env) {
  return BUILDS.some(({ folder }) => !existsSync(folder(env)));
}

async function ensureBuild({ folder, title, cost, packages, names }, env) {
  const target = folder(env);
  // The folder is complete if it exists, because a rename puts it there.
  if (existsSync(target)) return;
  await withLock(`${target}.lock`, `builds ${Object.values(names).join(' and ')}`, async (lock) => {
    if (existsSync(target)) return;
    mkdirSync(dirname(target), { recursive: true });
    const scratch = makeScratchFolder(dirname(target));
    try {
      const bin = await goInstall({
        title,
        cost: { ...cost, folder: target },
        packages,
        folder: scratch,
        env,
        onStart: (pid) => lock.include(pid),
      });
      for (const [built, name] of Object.entries(names)) renameSync(join(bin, built), join(bin, name));
      renameSync(bin, target);
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      throw new SetupError(`Temporal's production server cannot be built here: ${error.message}.`);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  });
}
