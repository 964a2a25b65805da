import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';

/** A value is stored a moment before its run exists, so a young folder is never looked at. */
const LEAST_AGE_MS = 3_600_000;

export interface PayloadSweep {
  readonly root: string;
  readonly client: Pick<Client, 'workflow'>;
  readonly now: number;
  /** Most folders looked at in one sweep. */
  readonly limit: number;
}

/**
 * Removes stored values whose run the server no longer knows: a value goes when its run does.
 * @returns how many folders were removed
 * @throws the client's error where the server cannot be asked
 */
export async function sweepPayloads({ root, client, now, limit }: PayloadSweep): Promise<number> {
  const folders = await readdir(root).catch(() => []);
  let looked = 0;
  let removed = 0;
  // From a random place on, so that a limit never hides the same folders for ever.
  const start = Math.floor(Math.random() * folders.length);
  for (const name of [...folders.slice(start), ...folders.slice(0, start)]) {
    if (looked >= limit) break;
    const folder = join(root, name);
    const info = await stat(folder).catch(() => undefined);
    if (info === undefined || !info.isDirectory() || now - info.mtimeMs < LEAST_AGE_MS) continue;
    looked += 1;
    if (await isOrphan(folder, client)) {
      await rm(folder, { recursive: true, force: true });
      removed += 1;
    }
  }
  return removed;
}

async function isOrphan(folder: string, client: Pick<Client, 'workflow'>): Promise<boolean> {
  const workflowId = await readFile(join(folder, 'workflow-id'), 'utf8').catch(() => undefined);
  if (workflowId === undefined) return true;
  try {
    await client.workflow.getHandle(workflowId).describe();
    return false;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return true;
    throw error;
  }
}
