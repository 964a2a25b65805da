import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readIdentity, isRunning } from '../../temporal/dev-server/process-identity';

/** Pid of the Temporal server of a data folder, from the record that its parent keeps there. */
export function temporalServerPid(dataDir: string): number {
  const { server } = JSON.parse(readFileSync(join(dataDir, 'temporal.pid'), 'utf8')) as {
    server: { pid: number };
  };
  return server.pid;
}

/** False for a process that has ended and that its parent has not waited for yet. */
export function isAlive(pid: number): boolean {
  return isRunning(readIdentity(pid));
}
