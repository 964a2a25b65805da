import type { Config } from '../../src/settings/config';
import type { ServiceKind } from './start-service';

/**
 * Creates a function that returns the port settings of the next process, because the processes of one machine need
 * different ports. The first process gets the port of the setting, and each further one the next port; with port 0
 * each chooses a free one. The caller calls it once for each process, and keeps the result for when the process is
 * started again.
 */
export function createOwnPorts({
  METRICS_ADDRESS: metrics,
  WORKER_PROBE_PORT: probe,
}: Pick<Config, 'METRICS_ADDRESS' | 'WORKER_PROBE_PORT'>): (kind: ServiceKind) => NodeJS.ProcessEnv {
  const nextMetrics = counter();
  const nextProbe = counter();
  return (kind) => ({
    ...(metrics === undefined ? {} : { METRICS_ADDRESS: shiftPort(metrics, nextMetrics()) }),
    ...(probe === undefined || kind !== 'worker' ? {} : { WORKER_PROBE_PORT: nthPort(probe, nextProbe()) }),
  });
}

function shiftPort(address: string, by: number): string {
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(address) ?? [];
  return `${host}:${nthPort(Number(port), by)}`;
}

function nthPort(first: number, by: number): string {
  return String(first === 0 ? 0 : first + by);
}

function counter(): () => number {
  let next = 0;
  return () => next++;
}
