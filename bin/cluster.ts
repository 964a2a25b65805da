import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeClusterFolder } from '../cluster/files/folder';
import { recordLeftovers } from '../cluster/processes/leftovers';
import { startCluster } from '../cluster/start-cluster';
import type { Config } from '../src/settings/config';
import { HoldfastError, messageOf } from '../src/base/errors';
import { defaultProvider } from '../src/factories/create-providers';
import { claimDataDir } from '../temporal/dev-server/data-dir-claim';
import { assertPortFree } from '../temporal/dev-server/ports';
import { printBanner } from './banner';
import { refuseExposure } from './exposure';
import { hasPlainEnglish } from './plain-english';
import { runProcess } from './process';

/** How long stopping one part may take beyond the grace time, ms: the limits of the part itself, and a margin. */
const STEP_LIMIT_MS = 25_000;

/** Runs the whole service as many processes on one machine: Temporal's production server, Neo4j, APIs and workers. */
runProcess('cluster', async (part) => {
  const { config, logger, fail } = part;
  refuseExposure(config);
  const { apis, workers } = readSizes(process.argv.slice(2), config);
  // The claim on the folder comes first, so that only processes of a cluster that is gone are ended.
  const folder = makeClusterFolder(config);
  const claim = await claimDataDir(folder);
  part.release(() => claim.release());
  const leftovers = recordLeftovers(join(folder, 'processes.json'));
  const ended = await leftovers.end();
  if (ended.length > 0) logger.warn({ processes: ended }, 'ended what a killed cluster had left');
  await checkPorts(config);

  const starting = new AbortController();
  const cluster = await startCluster({
    config,
    apis,
    workers,
    logger,
    leftovers,
    giveUp: fail,
    release: (stop) =>
      part.release(() => {
        starting.abort();
        return stop();
      }, config.SHUTDOWN_GRACE_MS + STEP_LIMIT_MS),
    signal: starting.signal,
  });
  const { url, recordsUrl, uiUrl, temporalAddress, neo4jUri } = cluster;
  if (process.stdout.isTTY) {
    printBanner({
      config: { ...config, neo4j: { uri: neo4jUri, username: '', password: '' } },
      provider: defaultProvider(config, hasPlainEnglish(config, logger)),
      apiUrl: url,
      recordsUrl,
      temporal: temporalAddress,
      uiUrl,
      processes: cluster.parts.map(({ name }) => name),
    });
  }
  const processes = Object.fromEntries(cluster.parts.map(({ name, pid }) => [name, pid()]));
  logger.info(
    { api: url, records: recordsUrl, ui: uiUrl, temporal: temporalAddress, neo4j: neo4jUri, processes },
    'the cluster is up',
  );
});

/**
 * Checks that the ports of the settings are free before the cluster starts anything.
 * @throws HoldfastError `CONFIGURATION` for a port that is taken
 */
async function checkPorts(config: Config): Promise<void> {
  const own = config.externalTemporal ? [] : (['TEMPORAL_PORT', 'TEMPORAL_UI_PORT'] as const);
  for (const setting of own) await checkPort('127.0.0.1', config[setting], setting);
  if (!config.externalTemporal)
    await checkPort('127.0.0.1', config.CLUSTER_POSTGRES_PORT, 'CLUSTER_POSTGRES_PORT');
  if (config.NEO4J_URI === undefined)
    await checkPort('127.0.0.1', config.CLUSTER_NEO4J_PORT, 'CLUSTER_NEO4J_PORT');
  for (const setting of ['PORT', 'RECORDS_PORT'] as const)
    await checkPort(config.HOST, config[setting], setting);
}

async function checkPort(host: string, port: number, setting: string): Promise<void> {
  if (port !== 0) await assertPortFree(host, port, setting);
}

/**
 * Reads how many APIs and workers to start. The options `--apis` and `--workers` take precedence over the settings.
 * @throws HoldfastError `CONFIGURATION` with a message of one line
 */
function readSizes(args: string[], config: Config): { apis: number; workers: number } {
  try {
    const { values } = parseArgs({
      args,
      options: { apis: { type: 'string' }, workers: { type: 'string' } },
    });
    return {
      apis: parseSize('--apis', values.apis, config.CLUSTER_APIS),
      workers: parseSize('--workers', values.workers, config.CLUSTER_WORKERS),
    };
  } catch (error) {
    throw new HoldfastError('CONFIGURATION', messageOf(error));
  }
}

function parseSize(option: string, text: string | undefined, setting: number): number {
  if (text === undefined) return setting;
  const size = Number(text);
  if (!Number.isInteger(size) || size < 1 || size > 64)
    throw new Error(`${option} has to be a whole number from 1 to 64, and is ${text}`);
  return size;
}
