import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Passwords of the cluster's own servers, made once for a data folder. */
export interface Passwords {
  readonly postgres: string;
  readonly neo4j: string;
}

/** @param folder keeps them, readable by its owner alone */
export function loadPasswords(folder: string): Passwords {
  const file = join(folder, 'passwords.json');
  const known = read(file);
  if (known) return known;
  const made = { postgres: newPassword(), neo4j: newPassword() };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 });
  return made;
}

const newPassword = (): string => randomBytes(24).toString('base64url');

function read(file: string): Passwords | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Passwords;
  } catch (error) {
    // Others than these would lock the cluster out of its data.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}
