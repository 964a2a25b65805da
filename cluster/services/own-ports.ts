import type { Config } from '../../src/settings/config';
import type { ServiceKind } from './start-service';

/**
 * Settings of ports of which each process of one machine needs another: the first process gets the port that is set, each
 * further one the next. Ask once for each process, and give it the same ones when it is started again.
 */
export function createOwnPorts({
  METRICS_ADDRESS: metrics,
  WORKER_PROBE_PORT: probe,
}: Pick<Config, 'METRICS_ADDRESS' | 'WORKER_PROBE_PORT'>): (kind: ServiceKind) => NodeJS.ProcessEnv {
  const nextMetrics = counter();
  const nextProbe = counter();
  return (kind) => ({
    ...(metrics === undefined ? {} : { METRICS_ADDRESS: shifted(metrics, nextMetrics()) }),
    ...(probe === undefined || kind !== 'worker' ? {} : { WORKER_PROBE_PORT: String(probe + nextProbe()) }),
  });
}

function shifted(address: string, by: number): string {
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(address) ?? [];
  return `${host}:${Number(port) + by}`;
}

function counter(): () => number {
  let next = 0;
  return () => next++;
}
