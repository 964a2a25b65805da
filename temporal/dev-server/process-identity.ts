import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * A process, identified by its pid and its start time, because the system uses pids again. The set-up scripts have
 * the same code for their locks; they run before anything is compiled, so they cannot share this file.
 */
export interface ProcessIdentity {
  readonly pid: number;
  /** An opaque text; undefined if the process did not exist when it was read. */
  readonly start?: string | undefined;
}

export function readIdentity(pid: number): ProcessIdentity {
  return { pid, start: readStart(pid) };
}

/** True while the process from which `identity` was read is running. A zombie does not count as running. */
export function isRunning(identity: ProcessIdentity): boolean {
  return identity.start !== undefined && readStart(identity.pid) === identity.start;
}

function readStart(pid: number): string | undefined {
  return process.platform === 'linux' ? readStartFromProc(pid) : readStartFromPs(pid);
}

function readStartFromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the command in parentheses, which may contain any character, so the fields are counted from
    // its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie with more than one thread is not over: it keeps its files and ports until its other threads have ended.
    const ended = fields[0] === 'X' || (fields[0] === 'Z' && Number(fields[17]) <= 1);
    return ended ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

function readStartFromPs(pid: number): string | undefined {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return line === '' || line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '');
  } catch {
    return undefined;
  }
}
