import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * The compiled entry of a sandbox thread. A thread cannot load TypeScript, so code that itself runs from source,
 * as in unit tests, takes the entry from the build. Throws where there is no build.
 */
export function threadEntry(): string {
  const isCompiled = __filename.endsWith('.js');
  const folder = isCompiled ? dirname(__filename) : resolve(__dirname, '../../dist/src/sandbox');
  const entry = join(folder, 'thread.js');
  if (!existsSync(entry)) throw new Error(`${entry} is missing: compile the project first (npm run build)`);
  return entry;
}
