import type { ChildProcess } from 'node:child_process';

const STOP_LIMIT_MS = 30_000;

/** Ends a process by SIGTERM, and by SIGKILL half a minute later. Does nothing if it has already ended. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const gone = new Promise((done) => child.once('close', done));
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  child.kill('SIGTERM');
  await gone;
  clearTimeout(late);
}
