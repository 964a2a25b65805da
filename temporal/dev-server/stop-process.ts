import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessIdentity } from './process-identity';
import { isRunning } from './process-identity';

const POLL_MS = 20;
const KILL_WAIT_MS = 5_000;

/**
 * Ends a process and waits until it is gone: the signal, and SIGKILL after `graceMs`. Nothing is sent to a
 * process that only has the same pid.
 *
 * @returns true when it had to be killed
 * @throws Error when it is still there 5 s after SIGKILL
 */
export async function stopProcess(
  identity: ProcessIdentity,
  graceMs: number,
  signal: NodeJS.Signals = 'SIGTERM',
): Promise<boolean> {
  send(identity, signal);
  if (await isGone(identity, graceMs)) return false;
  send(identity, 'SIGKILL');
  if (await isGone(identity, KILL_WAIT_MS)) return true;
  throw new Error(`Process ${identity.pid} is still running ${KILL_WAIT_MS} ms after SIGKILL.`);
}

function send(identity: ProcessIdentity, signal: NodeJS.Signals): void {
  if (!isRunning(identity)) return;
  try {
    process.kill(identity.pid, signal);
  } catch (error) {
    // It may end between the look and the signal.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function isGone(identity: ProcessIdentity, limitMs: number): Promise<boolean> {
  const deadline = Date.now() + limitMs;
  while (isRunning(identity)) {
    if (Date.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}
