import { HoldfastError } from '../src/base/errors';
import type { Part } from './process';

type LogPorts = Pick<Part, 'config' | 'logger'>;

/** Logs whether the runs that this process starts may reach private addresses, and why. */
export function logEgressOfRuns({ config, logger }: LogPorts): void {
  const { EGRESS_ALLOW_PRIVATE: allowed, environment } = config;
  const isSet = (environment['EGRESS_ALLOW_PRIVATE'] ?? '') !== '';
  const why = isSet
    ? 'EGRESS_ALLOW_PRIVATE is set'
    : allowed
      ? 'HOST is loopback, AUTH is off and ALLOWED_HOSTS is empty; behind a proxy set EGRESS_ALLOW_PRIVATE=false, which refuses them'
      : 'this is the default; EGRESS_ALLOW_PRIVATE=true allows them';
  logger.info({ why }, `tools may ${allowed ? '' : 'not '}call private and loopback addresses`);
}

/**
 * Logs whether a worker without an API follows the decision of the APIs, or allows no run to reach private addresses.
 */
export function logEgressOfWorker({ config, logger }: LogPorts): void {
  logger.info(
    config.privateForRuns
      ? 'tools may call private and loopback addresses in runs of an API that allows it'
      : 'tools may not call private and loopback addresses: EGRESS_ALLOW_PRIVATE is false',
  );
}

/**
 * Refuses to serve other machines without authentication, unless that is wanted.
 * @throws HoldfastError `CONFIGURATION`
 */
export function refuseExposure({ loopback, AUTH, ALLOW_PUBLIC, HOST }: Part['config']): void {
  if (loopback || AUTH !== 'off' || ALLOW_PUBLIC === 'yes') return;
  throw new HoldfastError(
    'CONFIGURATION',
    `HOST (${HOST}) reaches beyond this machine and AUTH is off: set AUTH=keys, or ALLOW_PUBLIC=yes where something in ` +
      'front authenticates callers',
  );
}

/** What any caller of a server without authentication can do. */
const OPEN = {
  API: [
    'tools, registered code among them, can be run, registered and removed',
    'memories and sessions of every user can be read, changed and erased',
    'results of runs can be read',
    'stores of memories and providers of models can be replaced',
  ],
  'records API': ['records can be read, changed, deleted, imported and exported'],
};

/** Warns if other machines can reach a server and it answers requests under any host name. */
export function warnOfExposure({ config, logger }: LogPorts, server: keyof typeof OPEN, url: string): void {
  if (config.loopback || config.AUTH !== 'off' || config.ALLOWED_HOSTS.length > 0) return;
  logger.warn(
    {
      url,
      open: OPEN[server],
      remedy:
        'set AUTH=keys, or put something that authenticates callers in front, and the names that they use into ALLOWED_HOSTS',
    },
    `the ${server} is open to everyone who reaches HOST (${config.HOST}): there is no authentication, and ALLOWED_HOSTS is ` +
      'empty, so that web pages of other sites can reach it too, by a host name that they control',
  );
}
