import { mkdir } from 'node:fs/promises';
import type { Config } from '../src/settings/config';
import { listeningUrl } from '../src/base/http/listening-url';
import { isReadable, type Logger, outputOf } from '../src/base/logger';
import { checkFileRoot } from '../src/tools/file-root';
import { type RunningEngine, startEngine } from './engine/start-engine';
import { clusterFolder, neo4jFolder } from './files/folder';
import { startNeo4j } from './neo4j/start-neo4j';
import { loadPasswords } from './files/passwords';
import { findPrograms } from './files/programs';
import type { Leftovers } from './processes/leftovers';
import { rememberPorts, type Ports } from './processes/ports';
import { supervise, type Supervised } from './processes/supervise';
import { startBalancer } from './services/balancer';
import { ownNamespace, buildServicesEnvironment } from './services/environment';
import { createOwnPorts } from './services/own-ports';
import { createServiceLog } from './services/service-log';
import { type ServiceKind, startService } from './services/start-service';

export interface ClusterOptions {
  readonly config: Config;
  readonly apis: number;
  readonly workers: number;
  readonly logger: Logger;
  readonly leftovers: Leftovers;
  readonly giveUp: (reason: string) => void;
  /**
   * Called with a function that stops a part. The caller calls these functions in reverse order to stop the cluster.
   */
  readonly release: (stop: () => Promise<void>) => void;
  /** Aborts the start. */
  readonly signal: AbortSignal;
}

export interface RunningCluster {
  /** The one address of all APIs. */
  readonly url: string;
  readonly recordsUrl: string;
  readonly uiUrl: string | undefined;
  readonly temporalAddress: string | undefined;
  readonly neo4jUri: string;
  readonly parts: readonly Supervised[];
}

const VIRTUAL_MACHINE = ['-Xmx512m', '-XX:+UseSerialGC'];
const PAGE_CACHE_MEGABYTES = 128;

/**
 * Starts those servers that the settings do not name, and then the services that use them, each when the parts that
 * it needs are ready.
 *
 * @throws HoldfastError if a part does not come up; the functions given to `release` stop what was started
 */
export async function startCluster(options: ClusterOptions): Promise<RunningCluster> {
  const { config, logger, release, signal, giveUp } = options;
  await checkFileRoot(config);
  const ports = rememberPorts(clusterFolder(config));
  const [engine, neo4j] = await waitForBoth([startOwnEngine(options, ports), startOwnNeo4j(options, ports)]);
  await mkdir(config.FILE_ROOT, { recursive: true });
  const environment = await buildServicesEnvironment(config, engine, neo4j.settings);
  const parts = [...(engine?.parts ?? []), ...neo4j.parts];
  // Lines of text for a person are formatted already. Those in JSON share an output that bounds what waits for a reader.
  const log = createServiceLog(config, isReadable(config) ? process.stdout : outputOf(logger));
  const ownPorts = createOwnPorts(config);

  /** Starts all services of one kind, which start and stop together. */
  async function addServices(
    kind: ServiceKind,
    count: number,
    own: NodeJS.ProcessEnv,
    onChange: (name: string, url: string | undefined) => void = () => undefined,
  ): Promise<void> {
    const names = count === 1 && kind === 'records' ? [kind] : numbered(kind, count);
    const starting = names.map((name) => {
      const ports = ownPorts(kind);
      return supervise({
        name,
        start: (stopped) =>
          startService(
            {
              kind,
              name,
              environment: { ...environment, ...ports, ...own },
              graceMs: config.SHUTDOWN_GRACE_MS,
              log,
              leftovers: options.leftovers,
              onUp: ({ url }) => onChange(name, String(url)),
            },
            stopped,
          ),
        logger,
        onEnd: () => onChange(name, undefined),
        giveUp,
        signal,
      });
    });
    release(async () => {
      const started = await Promise.allSettled(starting);
      await Promise.all(started.flatMap((one) => (one.status === 'fulfilled' ? [one.value.stop()] : [])));
    });
    parts.push(...(await Promise.all(starting)));
  }

  const recordsPort = await ports.assign('records', config.RECORDS_PORT);
  let recordsUrl = '';
  const balancer = await startBalancer({ host: config.HOST, port: config.PORT });
  // The services that are added last are stopped first. APIs wait for runs, so they stop before the workers.
  const adding = [
    addServices('worker', options.workers, {}),
    addServices(
      'records',
      1,
      { RECORDS_PORT: String(recordsPort) },
      (_, url) => (recordsUrl = url ?? recordsUrl),
    ),
    addServices('api', options.apis, { PORT: '0' }, (name, url) => balancer.set(name, url)),
  ];
  release(() => Promise.resolve(balancer.close()));
  await Promise.all(adding);
  return {
    url: listeningUrl(config.HOST, balancer.port),
    recordsUrl,
    uiUrl: config.TEMPORAL_UI_URL ?? engine?.uiUrl,
    temporalAddress: engine?.address ?? config.TEMPORAL_ADDRESS,
    neo4jUri: neo4j.settings.NEO4J_URI,
    parts,
  };
}

async function startOwnEngine(options: ClusterOptions, ports: Ports): Promise<RunningEngine | undefined> {
  const { config, logger, leftovers, giveUp, release, signal } = options;
  if (config.externalTemporal) return undefined;
  const starting = startEngine({
    folder: clusterFolder(config),
    port: config.TEMPORAL_PORT,
    uiPort: config.TEMPORAL_UI_PORT,
    postgresPort: config.CLUSTER_POSTGRES_PORT,
    namespace: ownNamespace(config),
    retentionDays: config.TEMPORAL_RETENTION_DAYS,
    historyShards: config.CLUSTER_HISTORY_SHARDS,
    logger,
    leftovers,
    ports,
    giveUp,
    signal,
  });
  release(async () => (await starting.catch(() => undefined))?.stop());
  return starting;
}

interface Neo4jParts {
  readonly settings: { readonly NEO4J_URI: string } & NodeJS.ProcessEnv;
  readonly parts: readonly Supervised[];
}

async function startOwnNeo4j(options: ClusterOptions, ports: Ports): Promise<Neo4jParts> {
  const { config, logger, leftovers, giveUp, release, signal } = options;
  if (config.NEO4J_URI !== undefined) return { settings: { NEO4J_URI: config.NEO4J_URI }, parts: [] };
  const folder = clusterFolder(config);
  const { neo4j: libraries } = findPrograms(['neo4j']);
  const { neo4j: password } = loadPasswords(folder);
  const port = await ports.assign('neo4j', config.CLUSTER_NEO4J_PORT);
  const starting = supervise({
    name: 'neo4j',
    start: (stopped) =>
      startNeo4j(
        {
          libraries,
          folder: neo4jFolder(folder),
          port,
          password,
          virtualMachine: VIRTUAL_MACHINE,
          pageCacheMegabytes: PAGE_CACHE_MEGABYTES,
          leftovers,
        },
        stopped,
      ),
    logger,
    giveUp,
    signal,
  });
  release(async () => (await starting.catch(() => undefined))?.stop());
  const part = await starting;
  const uri = `bolt://127.0.0.1:${port}`;
  return {
    settings: { NEO4J_URI: uri, NEO4J_USERNAME: 'neo4j', NEO4J_PASSWORD: password, NEO4J_DATABASE: '' },
    parts: [part],
  };
}

/** Waits for both starts, even if one fails, so that `release` finds no part that is still starting. */
async function waitForBoth<A, B>(starting: readonly [Promise<A>, Promise<B>]): Promise<[A, B]> {
  await Promise.allSettled(starting);
  return Promise.all(starting);
}

const numbered = (kind: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${kind}-${index + 1}`);
