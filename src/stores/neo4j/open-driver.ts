import neo4j, { type Driver } from 'neo4j-driver';
import { openCheckedDriver } from './checked-driver';
import type { Neo4jSettings } from './settings';

/** Both are below 2 s, so that a server that is down is reported soon. */
const CONNECT_LIMIT_MS = 1_500;
const POOL_LIMIT_MS = 1_900;
/** The driver tests a connection that was idle for longer before it uses it, because the server may have stopped meanwhile. */
const TRUSTED_IDLE_MS = 10_000;

/** Creates a driver, which connects when it is first used. */
export function openDriver({ uri, username, password, egress }: Neo4jSettings): Driver {
  const options = {
    disableLosslessIntegers: true,
    connectionTimeout: CONNECT_LIMIT_MS,
    connectionAcquisitionTimeout: POOL_LIMIT_MS,
    connectionLivenessCheckTimeout: TRUSTED_IDLE_MS,
    telemetryDisabled: true,
  };
  return egress === undefined
    ? neo4j.driver(uri, neo4j.auth.basic(username, password), options)
    : openCheckedDriver({ uri, username, password, egress }, options);
}
