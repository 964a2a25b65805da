import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * The compiled file of a thread or a process of its own, from its path in the project without ending, such as
 * `src/sandbox/thread`. Neither can load TypeScript, so code that itself runs from source, as in unit tests,
 * takes the entry from the build. Throws where there is no build.
 */
export function compiledEntry(path: string): string {
  const isCompiled = __filename.endsWith('.js');
  const entry = `${join(resolve(__dirname, isCompiled ? '../..' : '../../dist'), path)}.js`;
  if (!existsSync(entry)) throw new Error(`${entry} is missing: compile the project first (npm run build)`);
  return entry;
}
