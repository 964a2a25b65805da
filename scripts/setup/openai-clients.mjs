import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runMain } from './errors.mjs';
import { findApart, installApart } from './install-apart.mjs';
import { ensureNodeRuntimes, findNodeRuntimes } from './node-runtimes.mjs';
import { PROJECT_ROOT } from './paths.mjs';
import { ensureVirtualEnv, findVirtualEnv } from './virtual-env.mjs';

/** The folder in the cache of each client. */
const NODE = 'openai-node';
const PYTHON = 'openai-python';
/** The oldest Node.js that the client in test/openai/node runs on. */
const MIN_NODE = 22;

/**
 * Provides OpenAI's own clients that the service has no use for itself: that for Python, and the newest for Node.js, in the
 * versions that test/openai pins.
 *
 * @param {string} root
 * @param {NodeJS.ProcessEnv} [env]
 * @throws {SetupError} if one of them cannot be installed; then the others may be there
 */
export async function ensureOpenAiClients(root, env = process.env) {
  const { node, requirements } = sourcesIn(root);
  await installApart(NODE, node, {
    what: "OpenAI's client for Node.js",
    cost: { fetches: 2, keeps: 20 },
    env,
  });
  const cost = { fetches: 10, keeps: 75 };
  await ensureVirtualEnv(PYTHON, requirements, { what: "OpenAI's client for Python", cost, env });
  // The last, because they are pinned for one platform alone.
  if (!isNewEnough(process.versions.node)) await ensureNodeRuntimes(root, env);
}

/**
 * Finds the clients of an earlier set-up.
 *
 * @returns {{ python?: string, node?: { program: string, packages: string } }} the programs, and the folder with `node_modules`; what
 * is not there is absent
 */
export function findOpenAiClients(root, env = process.env) {
  const sources = sourcesIn(root);
  const venv = findVirtualEnv(PYTHON, sources.requirements, env);
  const packages = findApart(NODE, sources.node, env);
  const program = isNewEnough(process.versions.node)
    ? process.execPath
    : findNodeRuntimes(root, env).find(({ version }) => isNewEnough(version))?.path;
  return {
    ...(venv === undefined ? {} : { python: join(venv, 'bin', 'python') }),
    ...(packages === undefined || program === undefined ? {} : { node: { program, packages } }),
  };
}

function sourcesIn(root) {
  const folder = join(root, 'test', 'openai');
  return { node: join(folder, 'node'), requirements: join(folder, 'requirements.txt') };
}

function isNewEnough(version) {
  return Number.parseInt(version, 10) >= MIN_NODE;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runMain(async () => {
    if (!process.argv.includes('--check')) await ensureOpenAiClients(PROJECT_ROOT);
    process.stdout.write(JSON.stringify(findOpenAiClients(PROJECT_ROOT)));
  });
}
