import { setTimeout as delay } from 'node:timers/promises';
import { folderOf } from '../src/stores/blobs/keys';
import type { Sweep } from '../src/stores/blobs/sweep';
import { namespaceFolder, ownerOf } from './stored-values';

/**
 * A value is stored a moment before its run exists, so a young folder is never looked at; and who restored an older copy of the
 * server has a day to bring back its values, or to see that it works on those of another.
 */
const MIN_AGE_MS = 86_400_000;
/** A folder that is younger than the retention is asked about in one hour of each day, which its name decides. */
const TURNS = 24;
const TURN_MS = 3_600_000;
/** Asked about at the same time; with the pause at most 50 questions a second. */
const BATCH = 10;
const PAUSE_MS = 200;

export interface ValueSweep extends Sweep {
  /**
   * How long the server keeps a run that has ended, milliseconds. Within it a folder's run is there, unless somebody deleted it or the
   * server is a restored one, so such a folder is asked about once a day; an older one in every sweep. 0: every folder in every sweep.
   */
  readonly retentionMs: number;
  /** Milliseconds between two batches of questions. */
  readonly pauseMs?: number;
}

/**
 * Removes stored values whose run the server no longer knows: a value goes when its run does. Looks at every folder, however many
 * there are, and asks about those that may be without a run, at a pace that the server does not notice. To be called once an hour.
 * @returns how many folders were removed
 * @throws what `isKnown` throws, where it can answer for no folder; the store's error where that cannot be asked
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

/** Blobs of a folder come one after another, so no more than one folder is in memory. */
async function* dueFolders(sweep: ValueSweep): AsyncGenerator<string> {
  let folder: string | undefined;
  let newest = 0;
  for await (const { key, modifiedAt } of sweep.blobs.list(namespaceFolder(sweep.namespaceId))) {
    const own = folderOf(key);
    if (own !== folder) {
      if (folder !== undefined && isDue(folder, newest, sweep)) yield folder;
      folder = own;
      newest = 0;
    }
    newest = Math.max(newest, modifiedAt);
  }
  if (folder !== undefined && isDue(folder, newest, sweep)) yield folder;
}

function isDue(folder: string, newest: number, { now, retentionMs }: ValueSweep): boolean {
  if (!isOld(newest, now)) return false;
  return now - newest >= retentionMs || turnOf(folder) === Math.floor(now / TURN_MS) % TURNS;
}

/** A folder's name is a digest, so folders are spread evenly. */
function turnOf(folder: string): number {
  return Number.parseInt(folder.slice(-6), 16) % TURNS;
}

function isOld(modifiedAt: number, now: number): boolean {
  return now - modifiedAt >= MIN_AGE_MS;
}

/** One question that fails is for the next sweep; when all do there is no server to ask. */
async function sweepBatch(folders: readonly string[], sweep: ValueSweep): Promise<number> {
  const outcomes = await Promise.allSettled(folders.map((folder) => removeOrphan(folder, sweep)));
  const failures = outcomes.filter(({ status }) => status === 'rejected');
  if (folders.length > 0 && failures.length === folders.length)
    throw (failures[0] as PromiseRejectedResult).reason;
  return outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value).length;
}

async function removeOrphan(folder: string, sweep: ValueSweep): Promise<boolean> {
  if (!(await isOrphan(folder, sweep))) return false;
  // A new run may have taken the same id while the server was asked.
  for await (const { modifiedAt } of sweep.blobs.list(folder))
    if (!isOld(modifiedAt, sweep.now)) return false;
  await sweep.blobs.removeFolder(folder);
  return true;
}

async function isOrphan(folder: string, { blobs, isKnown }: ValueSweep): Promise<boolean> {
  const workflowId = await blobs.get(ownerOf(folder));
  return workflowId === undefined || !(await isKnown(workflowId.toString('utf8')));
}
