import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * When a process started, as an opaque text, or undefined when there is no such process (a zombie counts
 * as none: it will never do anything again). A pid alone is not enough to recognise a process, because
 * pids are used again, and quickly so in containers.
 */
export function startOf(pid) {
  if (process.platform !== 'linux') return startByPs(pid);
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

function startByPs(pid) {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return line === '' || line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '');
  } catch {
    return undefined;
  }
}

export function readIdentity(pid) {
  return { pid, start: startOf(pid) };
}

/** True while the very process that `identity` was taken from is running. */
export function isRunning(identity) {
  return (
    Number.isInteger(identity?.pid) &&
    identity.start !== undefined &&
    startOf(identity.pid) === identity.start
  );
}
