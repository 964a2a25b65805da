import { parseJson } from '../base/json/parse';
import type { ImportRun } from './import-files';
import { firstLookKey, IMPORTS, isOfUser, isUploadKey, parseRowsKey, rowsKey, runKey } from './import-keys';
import type { Sweep } from '../stores/blobs/keys';

/**
 * Minimum age of what is removed, milliseconds: no upload takes longer, and the engine knows starting and restored runs
 * by then.
 */
const MIN_AGE_MS = 86_400_000;

/**
 * Removes, of all tenants and users, uploads that never became an import, because a process died or the store became unavailable; and rows of
 * imports whose run the engine no longer knows, by retention or because it was never started. Rows stay as long as the
 * engine knows the run, because a restored copy of the engine may read finished rows again. Reports stay.
 * @returns the number of uploads and imports
 * @throws what `isKnown` throws; the store's if it cannot be asked
 */
export async function sweepImports(sweep: Sweep): Promise<number> {
  const { blobs, now, signal } = sweep;
  const before = now - MIN_AGE_MS;
  const uploads = new Set<string>();
  const imports = new Set<string>();
  for await (const { key, modifiedAt } of blobs.list(IMPORTS)) {
    if (signal?.aborted) return 0;
    if (modifiedAt >= before) continue;
    const folder = parseRowsKey(key);
    if (folder !== undefined) imports.add(folder);
    else if (isUploadKey(key)) uploads.add(key);
  }
  for (const key of uploads) await blobs.remove(key);
  let removed = uploads.size + (await blobs.removeDrafts(IMPORTS, before));
  for (const folder of imports) {
    if (signal?.aborted) break;
    const data = await blobs.get(runKey(folder));
    // The user was erased while the rows were stored. Rows of records without a run belong to a run of another build.
    if (data === undefined && isOfUser(folder)) await blobs.removeFolder(folder);
    else if (data !== undefined && (await isForgotten(data, sweep))) {
      await blobs.remove(firstLookKey(folder));
      await blobs.remove(rowsKey(folder));
    } else continue;
    removed += 1;
  }
  return removed;
}

/** Whether the engine no longer knows the run of an import. */
async function isForgotten(data: Buffer, { namespaceId, isKnown }: Sweep): Promise<boolean> {
  const run = parseJson(data.toString('utf8')) as ImportRun;
  return run.namespaceId === namespaceId && !(await isKnown(run.workflowId));
}
