import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const PREFIX = 'incoming-';

/**
 * Makes a new folder in `folder` for files that are being fetched or built. It first removes what interrupted
 * attempts have left, so only the holder of the lock on `folder` may call this.
 */
export function makeScratchFolder(folder) {
  for (const name of readdirSync(folder)) {
    if (name.startsWith(PREFIX)) rmSync(join(folder, name), { recursive: true, force: true });
  }
  return mkdtempSync(join(folder, PREFIX));
}
