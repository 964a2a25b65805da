import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * Finds the compiled file of a thread or a child process from its path in the project without extension, such as
 * `src/sandbox/thread`. Neither can load TypeScript, so code that runs from source, as in unit tests, gets the file of
 * the build.
 * @throws Error if there is no build
 */
export function compiledEntry(path: string): string {
  const isCompiled = __filename.endsWith('.js');
  const entry = `${join(resolve(__dirname, isCompiled ? '../..' : '../../dist'), path)}.js`;
  if (!existsSync(entry)) throw new Error(`${entry} is missing: compile the project first (npm run build)`);
  return entry;
}
