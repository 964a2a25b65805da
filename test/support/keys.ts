import { spawnPart } from './process';

export const SCOPES = ['read', 'run', 'memory', 'records', 'tools', 'admin'] as const;

/** A key that no service has. */
export const WRONG_KEY = `hfast_0123456789abcdef_${'A'.repeat(43)}`;

export interface Key {
  readonly id: string;
  readonly key: string;
}

export const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

/** Runs `npm run keys` on a data folder, beside whatever uses it, and reads the line that it prints last. */
export async function runKeys<T>(dataDir: string, ...args: string[]): Promise<T> {
  const command = spawnPart('keys', { DATA_DIR: dataDir }, { args: [...args, '--json'] });
  const code = await command.exited;
  if (code !== 0) throw new Error(`npm run keys ended with ${code}: ${command.output()}`);
  return command.lines.at(-1) as unknown as T;
}
