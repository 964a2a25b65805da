import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Pid of the Temporal server that runs on a data folder, by the record that its parent keeps there. */
export function temporalServerPid(dataDir: string): number {
  const { server } = JSON.parse(readFileSync(join(dataDir, 'temporal.pid'), 'utf8')) as {
    server: { pid: number };
  };
  return server.pid;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
