import { SERVER_SETTINGS } from '../../temporal/server-settings';
import { DATABASES } from './databases';
import { POSTGRES_USER } from './postgres';

/** The services of the server. One process runs them all. */
export const SERVICES = ['frontend', 'history', 'matching', 'worker'] as const;

/** The ports of one service: for its clients, and for finding the other services. */
export interface ServicePorts {
  readonly grpc: number;
  readonly membership: number;
}

export interface ServerConfigOptions {
  readonly ports: Readonly<Record<(typeof SERVICES)[number], ServicePorts>>;
  readonly postgresPort: number;
  readonly password: string;
  /** The number of the first start on a database. The server keeps that number and ignores later ones. */
  readonly historyShards: number;
  /** The file of `buildDynamicConfig`. */
  readonly dynamicConfigFile: string;
}

/** Builds the configuration of the server. The server reads YAML, and JSON is valid YAML. */
export function buildServerConfig(options: ServerConfigOptions): object {
  const { ports, postgresPort, password, historyShards, dynamicConfigFile } = options;
  const store = (databaseName: string, maxConns: number): object => ({
    sql: {
      pluginName: 'postgres12',
      databaseName,
      connectAddr: `127.0.0.1:${postgresPort}`,
      connectProtocol: 'tcp',
      user: POSTGRES_USER,
      password,
      maxConns,
      maxIdleConns: maxConns,
      maxConnLifetime: '1h',
    },
  });
  return {
    log: { stdout: true, level: 'warn' },
    persistence: {
      defaultStore: 'default',
      visibilityStore: 'visibility',
      numHistoryShards: historyShards,
      datastores: { default: store(DATABASES.temporal, 20), visibility: store(DATABASES.visibility, 10) },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' } },
    services: Object.fromEntries(
      SERVICES.map((name) => {
        const { grpc, membership } = ports[name];
        return [name, { rpc: { grpcPort: grpc, membershipPort: membership, bindOnIP: '127.0.0.1' } }];
      }),
    ),
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: {
          enabled: true,
          initialFailoverVersion: 1,
          rpcName: 'frontend',
          rpcAddress: `127.0.0.1:${ports.frontend.grpc}`,
        },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    publicClient: { hostPort: `127.0.0.1:${ports.frontend.grpc}` },
    dynamicConfigClient: { filepath: dynamicConfigFile, pollInterval: '10s' },
  };
}

/** The contents of the file of settings. */
export function buildDynamicConfig(): object {
  return Object.fromEntries(Object.entries(SERVER_SETTINGS).map(([name, value]) => [name, [{ value }]]));
}
