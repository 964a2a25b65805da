import { setTimeout as delay } from 'node:timers/promises';
import { isRunning, type ProcessIdentity } from './process-identity';

const POLL_MS = 20;
const KILL_WAIT_MS = 5_000;

/**
 * Ends a process and waits until it is gone. It sends the signal first, and SIGKILL after `graceMs`. It sends nothing
 * to another process with the same pid.
 *
 * @returns true when SIGKILL was needed
 * @throws Error when the process still runs 5 s after SIGKILL
 */
export async function stopProcess(
  identity: ProcessIdentity,
  graceMs: number,
  signal: NodeJS.Signals = 'SIGTERM',
): Promise<boolean> {
  sendSignal(identity, signal);
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
