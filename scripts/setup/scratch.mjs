import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const PREFIX = 'incoming-';

/**
 * A new folder in `folder` for what is being fetched or built. What earlier, interrupted tries left goes first, so
 * only the holder of the lock on `folder` may call this.
 */
export function freshScratch(folder) {
  for (const name of readdirSync(folder)) {
    if (name.startsWith(PREFIX)) rmSync(join(folder, name), { recursive: true, force: true });
  }
  return mkdtempSync(join(folder, PREFIX));
}
