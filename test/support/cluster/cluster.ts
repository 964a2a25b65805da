import { Client, Connection } from '@temporalio/client';
import { freePorts } from '../free-port';
import { LEXICAL } from '../memories';
import { startNeo4j } from '../neo4j-server';
import type { PartProcess } from '../process';
import { type Paths, pathsOf } from '../http';
import { makeTempDir } from '../temp-dir';
import { startBalancer } from './balancer';
import { environmentOf } from './compose';
import { createEngine } from './engine';
import { setUpPrograms } from './programs';
import { createService } from './service';
import { createTemporalUi } from './temporal-ui';

/** The first set-up on a machine builds Temporal's server. */
export const CLUSTER_WAIT_MS = 1_200_000;

/** `describe`, skipped if the servers cannot be set up, except in CI. */
export const describeWithCluster =
  process.env['HOLDFAST_TEST_CLUSTER_LACKS'] === undefined ? describe : describe.skip;

/** What a file `holdfast.env` would have. */
const SETTINGS = {
  ...LEXICAL,
  SHUTDOWN_GRACE_MS: '3000',
  // The peers of tests run on this machine.
  EGRESS_ALLOW_PRIVATE: 'true',
  // A call may have to wait until a killed server runs again.
  TOOL_TIMEOUT_MS: '90000',
  WAIT_LIMIT_MS: '120000',
};

/** The services of docker-compose.yml without containers: two APIs and two workers, and one of each other. */
export interface Cluster {
  /** Sends requests to the address of the proxy. */
  readonly api: Paths;
  readonly records: Paths;
  readonly uiUrl: string;
  /** A client that looks at runs from outside. */
  readonly client: Client;
  /** Sends requests to one API at its own address. */
  single(name: string): Paths;
  /** The present process of an API, a worker or the records API. */
  process(name: string): PartProcess;
  /** Kills a server or service by SIGKILL, and starts it again. */
  killPart(name: string): Promise<void>;
  /** Kills everything by SIGKILL, and starts it again on the same data. */
  killAll(): Promise<void>;
  /** @returns the exit codes of APIs, workers and the records API */
  stop(): Promise<(number | NodeJS.Signals)[]>;
}

export async function openCluster(): Promise<Cluster> {
  const programs = await setUpPrograms();
  const [engineDir, uiDir, dataDir] = [makeTempDir(), makeTempDir(), makeTempDir()];
  const [uiPort = 0, recordsPort = 0, ...apiPorts] = await freePorts(4);
  const engine = await createEngine(engineDir.path, programs);
  const ui = createTemporalUi(uiDir.path, programs.ui, uiPort, engine.address);
  const uiUrl = `http://127.0.0.1:${uiPort}`;
  const [, password = ''] = environmentOf('neo4j')['NEO4J_AUTH']?.split('/') ?? [];
  const [neo4j] = await Promise.all([startNeo4j({ password }), engine.start()]);

  const own = {
    ...SETTINGS,
    HOST: '127.0.0.1',
    RECORDS_PORT: String(recordsPort),
    WORKER_PROBE_PORT: '0',
    METRICS_ADDRESS: '127.0.0.1:0',
    DATA_DIR: dataDir.path,
    TEMPORAL_ADDRESS: engine.address,
    TEMPORAL_UI_URL: uiUrl,
    NEO4J_URI: neo4j.uri,
  };
  const services = [
    ...['worker-1', 'worker-2'].map((name) => createService('worker', name, own)),
    createService('records', 'records', own),
    ...apiPorts.map((port, at) => createService('api', `api-${at + 1}`, { ...own, PORT: String(port) })),
  ];
  const startServices = (): Promise<unknown> =>
    Promise.all([ui.start(), ...services.map((service) => service.start())]);
  await startServices();
  const balancer = await startBalancer(apiPorts);
  const client = new Client({ connection: Connection.lazy({ address: engine.address }) });

  const servers = [engine.postgres, engine.temporal, ui, ...services];
  function find<T extends { readonly name: string }>(among: readonly T[], name: string): T {
    const found = among.find((one) => one.name === name);
    if (found === undefined) throw new Error(`nothing is called ${name}`);
    return found;
  }
  return {
    api: pathsOf(balancer.url),
    records: pathsOf(`http://127.0.0.1:${recordsPort}`),
    uiUrl,
    client,
    single: (name) => pathsOf(`http://127.0.0.1:${apiPorts[Number(name.slice('api-'.length)) - 1]}`),
    process: (name) => find(services, name).process(),
    async killPart(name) {
      await find(servers, name).end('SIGKILL');
      await find(servers, name).start();
    },
    async killAll() {
      await Promise.all([neo4j.kill(), ...servers.map((server) => server.end('SIGKILL'))]);
      await Promise.all([neo4j.restart(), engine.start()]);
      await startServices();
    },
    async stop() {
      balancer.close();
      await client.connection.close();
      // APIs wait for runs, so they stop before the workers.
      for (const service of [...services].reverse()) await service.end();
      await ui.end();
      await engine.stop();
      await neo4j.stop();
      for (const dir of [engineDir, uiDir, dataDir]) dir.remove();
      return Promise.all(services.map((service) => service.process().exited));
    },
  };
}
