import { readFileSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { isExecutable } from './executables.mjs';
import { cacheFolder } from './paths.mjs';
import { run } from './run.mjs';
import { findVersionFault } from './temporal-version.mjs';
import { writeWhole } from './write-whole.mjs';

/** The release that is downloaded or built if no usable one is found. */
export const CLI_VERSION = '1.5.1';

/**
 * The file that records which binary is used. The services read `path` from it at run time. It also records the verdict
 * on every binary seen, because running each for its version takes longer than the rest of a repeated set-up.
 */
const recordFile = (root) => join(root, 'dist', 'temporal-cli.json');

export const cachedCli = (env) => join(cacheFolder(env), 'temporal', CLI_VERSION, 'temporal');

/**
 * Finds the first usable binary: the one at TEMPORAL_CLI_PATH alone if that is set, otherwise `temporal` on PATH,
 * otherwise the one in the cache.
 *
 * @returns {Promise<{ path: string | undefined, faults: string[] }>} `faults` says why other binaries were passed over
 */
export async function findTemporalCli(root, env) {
  const record = readRecord(root);
  const faults = [];
  const judged = [];
  let path;
  for (const candidate of candidates(env)) {
    const verdict = await judge(candidate, record.judged);
    judged.push(verdict);
    if (verdict.fault === undefined) {
      path = verdict.path;
      break;
    }
    faults.push(`${candidate} ${verdict.fault}`);
  }
  if (path !== undefined) writeRecord(root, record, { path, judged });
  return { path, faults };
}

function candidates(env) {
  if (env.TEMPORAL_CLI_PATH) return [resolve(env.TEMPORAL_CLI_PATH)];
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  return [...folders.map((folder) => join(folder, 'temporal')), cachedCli(env)].filter(isExecutable);
}

async function judge(path, known) {
  if (!isExecutable(path)) return { path, fault: 'is not an executable file' };
  const { size, mtimeMs } = statSync(path);
  const before = known.find((one) => one.path === path && one.size === size && one.mtimeMs === mtimeMs);
  return before ?? { path, size, mtimeMs, fault: await findFault(path) };
}

/** Says why the binary at `path` cannot be used; undefined if it can. */
export async function findFault(path) {
  const { code, tail } = await run(path, ['--version']);
  return code === 0 ? findVersionFault(tail) : `does not run (code ${code}: ${tail.split('\n').at(-1)})`;
}

function readRecord(root) {
  try {
    const record = JSON.parse(readFileSync(recordFile(root), 'utf8'));
    return { path: record.path, judged: Array.isArray(record.judged) ? record.judged : [] };
  } catch {
    return { path: undefined, judged: [] };
  }
}

function writeRecord(root, before, after) {
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  writeWhole(recordFile(root), `${JSON.stringify(after, null, 2)}\n`);
}
