import type { Sweep } from '../../stores/blobs/sweep';
import type { ImportRun } from './import-files';
import { firstLookOf, IMPORTS, importOfRows, rowsOf, runOf, UPLOADS } from './import-keys';

/** No upload takes longer; and a run that is about to start, or a restored one, is known by then. Milliseconds. */
const MIN_AGE_MS = 86_400_000;

/**
 * Takes away uploads that nobody made an import of, because a process died or the store went away; and rows of imports whose
 * run the engine no longer knows, by retention or because it was never started. As long as it knows the run, a restored copy of
 * the engine may come back to rows that were done with. Reports stay.
 * @returns how many uploads and imports
 * @throws what `isKnown` throws; the store's where it cannot be asked
 */
export async function sweepImports(sweep: Sweep): Promise<number> {
  const { blobs, now, signal } = sweep;
  const before = now - MIN_AGE_MS;
  const uploads = new Set<string>();
  const imports = new Set<string>();
  for await (const { key, modifiedAt } of blobs.list(IMPORTS)) {
    if (signal?.aborted) return 0;
    if (modifiedAt >= before) continue;
    const importId = importOfRows(key);
    if (importId !== undefined) imports.add(importId);
    else if (key.startsWith(`${UPLOADS}/`)) uploads.add(key);
  }
  for (const key of uploads) await blobs.remove(key);
  let removed = uploads.size + (await blobs.removeDrafts(IMPORTS, before));
  for (const importId of imports) {
    if (signal?.aborted) break;
    if (!(await isOrphan(importId, sweep))) continue;
    await blobs.remove(firstLookOf(importId));
    await blobs.remove(rowsOf(importId));
    removed += 1;
  }
  return removed;
}

/** Rows that no run is named for belong to one that this build did not start. */
async function isOrphan(importId: string, { blobs, namespaceId, isKnown }: Sweep): Promise<boolean> {
  const data = await blobs.get(runOf(importId));
  if (data === undefined) return false;
  const run = JSON.parse(data.toString('utf8')) as ImportRun;
  return run.namespaceId === namespaceId && !(await isKnown(run.workflowId));
}
