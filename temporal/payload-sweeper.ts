import { opendir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import { namespaceFolder } from './payload-folder';

/** A value is stored a moment before its run exists, so a young folder is never looked at. */
const LEAST_AGE_MS = 3_600_000;
/** Asked about at the same time; with the pause at most 50 questions a second. */
const BATCH = 10;
const PAUSE_MS = 200;

export interface PayloadSweep {
  readonly root: string;
  /** Only what this namespace stored is looked at. */
  readonly namespaceId: string;
  readonly client: Pick<Client, 'workflow'>;
  readonly now: number;
  /** Ends the sweep early. */
  readonly signal?: AbortSignal;
  /** Milliseconds between two batches of questions. */
  readonly pauseMs?: number;
}

/**
 * Removes stored values whose run the server no longer knows: a value goes when its run does. Looks at every folder,
 * however many there are, at a pace that the server does not notice.
 * @returns how many folders were removed
 * @throws the client's error where the server cannot be asked
 */
export async function sweepPayloads(sweep: PayloadSweep): Promise<number> {
  const { signal, pauseMs = PAUSE_MS } = sweep;
  let removed = 0;
  let batch: string[] = [];
  for await (const folder of oldFolders(sweep)) {
    if (signal?.aborted) return removed;
    batch.push(folder);
    if (batch.length < BATCH) continue;
    removed += await sweepBatch(batch, sweep);
    batch = [];
    await delay(pauseMs);
  }
  return signal?.aborted ? removed : removed + (await sweepBatch(batch, sweep));
}

async function* oldFolders({ root, namespaceId, now }: PayloadSweep): AsyncGenerator<string> {
  const parent = namespaceFolder(root, namespaceId);
  const entries = await opendir(parent).catch(() => undefined);
  if (entries === undefined) return;
  for await (const { name } of entries) {
    const folder = join(parent, name);
    if (await isOld(folder, now)) yield folder;
  }
}

async function isOld(folder: string, now: number): Promise<boolean> {
  const info = await stat(folder).catch(() => undefined);
  return info !== undefined && info.isDirectory() && now - info.mtimeMs >= LEAST_AGE_MS;
}

/** One question that fails is for the next sweep; when all do there is no server to ask. */
async function sweepBatch(folders: readonly string[], { client, now }: PayloadSweep): Promise<number> {
  const outcomes = await Promise.allSettled(folders.map((folder) => removeOrphan(folder, client, now)));
  const failures = outcomes.filter(({ status }) => status === 'rejected');
  if (folders.length > 0 && failures.length === folders.length)
    throw (failures[0] as PromiseRejectedResult).reason;
  return outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value).length;
}

async function removeOrphan(folder: string, client: Pick<Client, 'workflow'>, now: number): Promise<boolean> {
  if (!(await isOrphan(folder, client))) return false;
  // A new run may have taken the same id while the server was asked.
  if (!(await isOld(folder, now))) return false;
  await rm(folder, { recursive: true, force: true });
  return true;
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
