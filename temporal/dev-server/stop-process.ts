import { setTimeout as delay } from 'node:timers/promises';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const POLL_MS = 20;
const KILL_WAIT_MS = 5_000;

/**
 * Ends a process and waits until it is gone. It sends SIGTERM first, and SIGKILL after `graceMs`. It sends nothing
 * to another process with the same pid.
 *
 * @returns true when SIGKILL was needed
 * @throws Error when the process still runs 5 s after SIGKILL
 */
export async function stopProcess(identity: ProcessIdentity, graceMs: number): Promise<boolean> {
  sendSignal(identity, 'SIGTERM');
  if (await waitUntilGone(identity, graceMs)) return false;
  sendSignal(identity, 'SIGKILL');
  if (await waitUntilGone(identity, KILL_WAIT_MS)) return true;
  throw new Error(`Process ${identity.pid} is still running ${KILL_WAIT_MS} ms after SIGKILL.`);
}

function sendSignal(identity: ProcessIdentity, signal: NodeJS.Signals): void {
  if (!isRunning(identity)) return;
  try {
    process.kill(identity.pid, signal);
  } catch (error) {
    // The process may end between the check and the signal.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function waitUntilGone(identity: ProcessIdentity, limitMs: number): Promise<boolean> {
  const deadline = Date.now() + limitMs;
  while (isRunning(identity)) {
    if (Date.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}

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
