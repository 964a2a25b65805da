import type { Part } from './process';

type Told = Pick<Part, 'config' | 'logger'>;

/** Logs whether the runs that this process starts may reach private addresses, and why. */
export function logReachOfRuns({ config, logger }: Told): void {
  const { EGRESS_ALLOW_PRIVATE: allowed, environment } = config;
  const isSet = (environment['EGRESS_ALLOW_PRIVATE'] ?? '') !== '';
  const why = isSet
    ? 'EGRESS_ALLOW_PRIVATE is set'
    : allowed
      ? 'only this machine can call the service; EGRESS_ALLOW_PRIVATE=false refuses them'
      : 'this is the default; EGRESS_ALLOW_PRIVATE=true allows them';
  logger.info({ why }, `tools may ${allowed ? '' : 'not '}call private and loopback addresses`);
}

/** Logs whether a worker alone follows the APIs in this. */
export function logReachOfWorker({ config, logger }: Told): void {
  logger.info(
    config.privateForRuns
      ? 'tools may call private and loopback addresses in runs of an API that allows it'
      : 'tools may not call private and loopback addresses: EGRESS_ALLOW_PRIVATE is false',
  );
}
