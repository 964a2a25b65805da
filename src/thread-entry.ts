import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/**
 * The compiled file that a thread runs, which stands beside the file that starts it (`starter`, its `__filename`).
 * A thread cannot load TypeScript, so code that itself runs from source, as in unit tests, takes the file from the
 * build. Throws where there is no build.
 */
export function threadEntry(starter: string, name: string): string {
  const folder = dirname(starter);
  const entry = join(
    starter.endsWith('.js') ? folder : resolve(__dirname, '../dist/src', relative(__dirname, folder)),
    name,
  );
  if (!existsSync(entry)) throw new Error(`${entry} is missing: compile the project first (npm run build)`);
  return entry;
}
