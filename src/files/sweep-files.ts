import type { Sweep } from '../stores/blobs/keys';
import { FILES } from './file-keys';
import { KEEP_FILES_MS } from './user-files';

/** The clocks of the store and of this machine may differ by this much, milliseconds. */
const MARGIN_MS = 3_600_000;

/**
 * Removes the files of all users that have expired, and what was left of files that were never complete.
 * @returns the number of files @throws the store's if it cannot be asked
 */
export async function sweepFiles({
  blobs,
  now,
  signal,
}: Pick<Sweep, 'blobs' | 'now' | 'signal'>): Promise<number> {
  const before = now - KEEP_FILES_MS - MARGIN_MS;
  const expired = new Set<string>();
  for await (const { key, modifiedAt } of blobs.list(FILES)) {
    if (signal?.aborted === true) return 0;
    if (modifiedAt < before) expired.add(key);
  }
  for (const key of expired) await blobs.remove(key);
  return expired.size + (await blobs.removeDrafts(FILES, before));
}
