import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Passwords of the cluster's servers, generated once for a data folder. */
export interface Passwords {
  readonly postgres: string;
  readonly neo4j: string;
}

/**
 * Loads the passwords, and generates them if the folder has none yet.
 * @param folder the folder that keeps them, in a file that only its owner can read
 */
export function loadPasswords(folder: string): Passwords {
  const file = join(folder, 'passwords.json');
  const known = readPasswords(file);
  if (known) return known;
  const generated = { postgres: newPassword(), neo4j: newPassword() };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(file, `${JSON.stringify(generated, null, 2)}\n`, { mode: 0o600 });
  return generated;
}

const newPassword = (): string => randomBytes(24).toString('base64url');

function readPasswords(file: string): Passwords | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Passwords;
  } catch (error) {
    // A file that cannot be read is an error, because new passwords would lock the cluster out of its data.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}
