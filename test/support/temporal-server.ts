import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PartProcess } from './process';
import type { Stage } from './stage';
import { readIdentity, isRunning } from '../../temporal/dev-server/stop-process';

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

/** Kills the server of a stage by SIGKILL; the process that started it notices that and ends too. */
export async function killTemporal({ dataDir }: Stage, temporal: PartProcess): Promise<void> {
  process.kill(temporalServerPid(dataDir), 'SIGKILL');
  expect(await temporal.exited).toBe(1);
}
