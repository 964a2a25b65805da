/** The services of Temporal's server. One process runs them all. */
export const SERVICES = ['frontend', 'history', 'matching', 'worker'] as const;

/** The ports of one service: for its clients, and for finding the other services. */
interface ServicePorts {
  readonly grpc: number;
  readonly membership: number;
}

export interface TemporalConfigOptions {
  /** The environment of the service `temporal` of docker-compose.yml, from which its image makes the configuration. */
  readonly environment: Readonly<Record<string, string>>;
  readonly ports: Readonly<Record<(typeof SERVICES)[number], ServicePorts>>;
}

/** Builds the configuration of the server. The server reads YAML, and JSON is valid YAML. */
export function buildTemporalConfig({ environment, ports }: TemporalConfigOptions): object {
  const store = (databaseName: string | undefined, maxConns: number): object => ({
    sql: {
      pluginName: environment['DB'],
      databaseName,
      connectAddr: `${environment['POSTGRES_SEEDS']}:${environment['DB_PORT']}`,
      connectProtocol: 'tcp',
      user: environment['POSTGRES_USER'],
      password: environment['POSTGRES_PWD'],
      maxConns,
      maxIdleConns: maxConns,
      maxConnLifetime: '1h',
    },
  });
  const rpcAddress = `${environment['BIND_ON_IP']}:${ports.frontend.grpc}`;
  return {
    log: { stdout: true, level: environment['LOG_LEVEL'] },
    persistence: {
      defaultStore: 'default',
      visibilityStore: 'visibility',
      numHistoryShards: Number(environment['NUM_HISTORY_SHARDS']),
      datastores: {
        default: store(environment['DBNAME'], 20),
        visibility: store(environment['VISIBILITY_DBNAME'], 10),
      },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: environment['BIND_ON_IP'] } },
    services: Object.fromEntries(
      SERVICES.map((name) => {
        const { grpc, membership } = ports[name];
        const rpc = { grpcPort: grpc, membershipPort: membership, bindOnIP: environment['BIND_ON_IP'] };
        return [name, { rpc }];
      }),
    ),
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    publicClient: { hostPort: rpcAddress },
    dynamicConfigClient: { filepath: environment['DYNAMIC_CONFIG_FILE_PATH'], pollInterval: '10s' },
  };
}
