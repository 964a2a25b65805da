import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Reads when a process started, as an opaque text; undefined when there is no such process. A zombie counts as
 * ended, because it never runs again. A pid alone does not identify a process, because the system uses pids
 * again, in containers soon.
 */
export function readStart(pid) {
  if (process.platform !== 'linux') return readStartFromPs(pid);
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

function readStartFromPs(pid) {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return line === '' || line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '');
  } catch {
    return undefined;
  }
}

export function readIdentity(pid) {
  return { pid, start: readStart(pid) };
}

/** True while the process from which `identity` was read is running. */
export function isRunning(identity) {
  return (
    Number.isInteger(identity?.pid) &&
    identity.start !== undefined &&
    readStart(identity.pid) === identity.start
  );
}
