import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * A process, told apart from a later one with the same pid by when it started. The set-up scripts do the
 * same for their locks; they run before anything is compiled and so cannot share this file.
 */
export interface ProcessIdentity {
  readonly pid: number;
  /** Opaque; undefined when there was no such process to ask. */
  readonly start?: string | undefined;
}

export function readIdentity(pid: number): ProcessIdentity {
  return { pid, start: readStart(pid) };
}

/** True while the very process that `identity` was taken from is running. A zombie is not running. */
export function isRunning(identity: ProcessIdentity): boolean {
  return identity.start !== undefined && readStart(identity.pid) === identity.start;
}

function readStart(pid: number): string | undefined {
  return process.platform === 'linux' ? startByProc(pid) : startByPs(pid);
}

function startByProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the command in parentheses and may hold anything; count from its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie keeps its files and ports while other threads of it are still ending.
    const ended = fields[0] === 'X' || (fields[0] === 'Z' && Number(fields[17]) <= 1);
    return ended ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

function startByPs(pid: number): string | undefined {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return line === '' || line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '');
  } catch {
    return undefined;
  }
}
