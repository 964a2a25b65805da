import { execFile, spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const SCRIPT = join(resolve(__dirname, '..', '..'), 'scripts', 'setup', 'cluster.mjs');

/** Why the cluster cannot be set up here; undefined if it can. */
export function findMissingForCluster(): string | undefined {
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT, '--check'], { encoding: 'utf8' });
  return status === 0 ? undefined : stderr.trim();
}

/** Provides the programs of the cluster, which takes minutes the first time on a machine. */
export async function setUpCluster(): Promise<void> {
  await promisify(execFile)(process.execPath, [SCRIPT]);
}
