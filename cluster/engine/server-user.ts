import { chmodSync, chownSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { HoldfastError } from '../../src/base/errors';

/** The user that runs PostgreSQL. */
export interface ServerUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Debian's package creates the first user; the second exists on every system. */
// eslint-disable-next-line holdfast/plain-words -- the name of a user of the system
const CANDIDATES = ['postgres', 'nobody'];
const PASSAGE = 0o001;

/**
 * Finds the user that runs PostgreSQL. PostgreSQL refuses to run as root, so if this process runs as root, another
 * user runs it.
 * @returns undefined if the user of this process can run it
 * @throws HoldfastError `CONFIGURATION` if no suitable user exists
 */
export function findServerUser(passwd = '/etc/passwd'): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const entries = readFileSync(passwd, 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of CANDIDATES) {
    const entry = entries.find(([login]) => login === name);
    if (entry) return { name, uid: Number(entry[2]), gid: Number(entry[3]) };
  }
  throw new HoldfastError(
    'CONFIGURATION',
    `PostgreSQL cannot run as root, and there is no user ${CANDIDATES.join(' or ')} to run it as.`,
  );
}

/**
 * Creates a folder that belongs to the user and that no other user can open. The cluster may change the mode of `own`
 * and of folders inside it: if only root can traverse one of these, the user's group is allowed to traverse it,
 * but not to list it.
 *
 * @throws HoldfastError `CONFIGURATION` if the user cannot reach the folder
 */
export function makeFolderFor(folder: string, own: string, user: ServerUser | undefined): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (user === undefined) return;
  chownSync(folder, user.uid, user.gid);
  for (let above = dirname(folder); above !== dirname(above); above = dirname(above)) {
    if (mayPass(above, user)) continue;
    if (`${above}/`.startsWith(`${own}/`) && isOfRootAlone(above)) letPass(above, user);
    else
      throw new HoldfastError(
        'CONFIGURATION',
        `PostgreSQL cannot run as root, and the user ${user.name}, as whom it runs, cannot pass through ${above} ` +
          `to ${folder}: run \`chmod o+x ${above}\`, or set DATA_DIR to a folder elsewhere.`,
      );
  }
}

function mayPass(folder: string, { uid, gid }: ServerUser): boolean {
  const status = statSync(folder);
  if (status.uid === uid) return (status.mode & (PASSAGE << 6)) !== 0;
  if (status.gid === gid) return (status.mode & (PASSAGE << 3)) !== 0;
  return (status.mode & PASSAGE) !== 0;
}

function isOfRootAlone(folder: string): boolean {
  const { uid, mode } = statSync(folder);
  return uid === 0 && (mode & 0o077) === 0;
}

function letPass(folder: string, { gid }: ServerUser): void {
  chownSync(folder, 0, gid);
  chmodSync(folder, 0o710);
}
