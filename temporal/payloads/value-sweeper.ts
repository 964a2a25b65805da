import { setTimeout as delay } from 'node:timers/promises';
import { folderOf, type Sweep } from '../../src/stores/blobs/keys';
import { namespaceFolder, ownerKey } from './stored-values';

/**
 * Younger folders are never checked. A value is stored before its run exists, and an operator who has restored an
 * older copy of the server has a day to restore its values, or to notice that it uses those of another server.
 */
const MIN_AGE_MS = 86_400_000;
/** A folder that is younger than the retention is checked in one hour of each day, which its name determines. */
const SLOTS_PER_DAY = 24;
const SLOT_MS = 3_600_000;
/**
 * How many folders are checked at the same time. With the pause this makes at most 50 calls of the server in a
 * second.
 */
const BATCH = 10;
const PAUSE_MS = 200;

export interface ValueSweep extends Sweep {
  /**
   * How long the server keeps a run that has ended, ms. Within this time the run of a folder exists, unless it was
   * deleted or the server was restored, so that such a folder is checked once a day. An older folder is checked in
   * every sweep; with 0, all are.
   */
  readonly retentionMs: number;
  /** Pause between two batches, ms. */
  readonly pauseMs?: number;
}

/**
 * Removes stored values whose run the server no longer knows. It lists all folders, and asks the server about those
 * that may have no run, at a rate that does not load the server. The caller calls it once an hour.
 * @returns how many folders were removed
 * @throws the error of `isKnown` if it fails for all folders of a batch; the store's error if the store cannot
 * be listed
 */
export async function sweepValues(sweep: ValueSweep): Promise<number> {
  const { signal, pauseMs = PAUSE_MS } = sweep;
  let removed = 0;
  let batch: string[] = [];
  for await (const folder of dueFolders(sweep)) {
    if (signal?.aborted) return removed;
    batch.push(folder);
    if (batch.length < BATCH) continue;
    removed += await sweepBatch(batch, sweep);
    batch = [];
    await delay(pauseMs);
  }
  return signal?.aborted ? removed : removed + (await sweepBatch(batch, sweep));
}

/**
 * Lists the folders to check. The blobs of a folder are listed one after another, so that only one folder is in
 * memory.
 */
async function* dueFolders(sweep: ValueSweep): AsyncGenerator<string> {
  let folder: string | undefined;
  let newest = 0;
  for await (const { key, modifiedAt } of sweep.blobs.list(namespaceFolder(sweep.namespaceId))) {
    const blobFolder = folderOf(key);
    if (blobFolder !== folder) {
      if (folder !== undefined && isDue(folder, newest, sweep)) yield folder;
      folder = blobFolder;
      newest = 0;
    }
    newest = Math.max(newest, modifiedAt);
  }
  if (folder !== undefined && isDue(folder, newest, sweep)) yield folder;
}

function isDue(folder: string, newest: number, { now, retentionMs }: ValueSweep): boolean {
  if (!isOld(newest, now)) return false;
  return now - newest >= retentionMs || dailySlot(folder) === Math.floor(now / SLOT_MS) % SLOTS_PER_DAY;
}

/** The hour of the day in which a folder is checked. Its name is a digest, so folders are spread evenly. */
function dailySlot(folder: string): number {
  return Number.parseInt(folder.slice(-6), 16) % SLOTS_PER_DAY;
}

function isOld(modifiedAt: number, now: number): boolean {
  return now - modifiedAt >= MIN_AGE_MS;
}

/**
 * Checks a batch of folders. A folder whose check fails waits for the next sweep; if all fail, the server is away.
 */
async function sweepBatch(folders: readonly string[], sweep: ValueSweep): Promise<number> {
  const outcomes = await Promise.allSettled(folders.map((folder) => removeOrphan(folder, sweep)));
  const failures = outcomes.filter(({ status }) => status === 'rejected');
  if (folders.length > 0 && failures.length === folders.length)
    throw (failures[0] as PromiseRejectedResult).reason;
  return outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value).length;
}

async function removeOrphan(folder: string, sweep: ValueSweep): Promise<boolean> {
  if (!(await isOrphan(folder, sweep))) return false;
  // A new run may have stored values under the same workflow id during the check.
  for await (const { modifiedAt } of sweep.blobs.list(folder))
    if (!isOld(modifiedAt, sweep.now)) return false;
  await sweep.blobs.removeFolder(folder);
  return true;
}

async function isOrphan(folder: string, { blobs, isKnown }: ValueSweep): Promise<boolean> {
  const workflowId = await blobs.get(ownerKey(folder));
  return workflowId === undefined || !(await isKnown(workflowId.toString('utf8')));
}
