import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findTemporalCli } from '../../../temporal/dev-server/find-cli';
import { isListening } from '../../../temporal/dev-server/readiness';
import { PROJECT_ROOT } from '../deployment';
import { freePorts } from '../free-port';
import { createServer, type Server } from '../server';
import { environmentOf, runJob } from './compose';
import { createPostgres } from './postgres';
import type { Programs } from './programs';
import { buildTemporalConfig, SERVICES, type TemporalConfigOptions } from './temporal-config';

const HOST = '127.0.0.1';

/** Temporal's production server on PostgreSQL, as docker-compose.yml runs them. */
export interface Engine {
  /** host:port of the server. */
  readonly address: string;
  readonly postgres: Server;
  readonly temporal: Server;
  /**
   * Starts both servers, and creates the schema and the namespace if they are missing, by the scripts that containers
   * run at each `docker compose up`. A start that fails leaves no process.
   */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Creates the data of an engine, which does not run yet.
 * @param folder an empty folder, which is given to the user that runs PostgreSQL. That user has to be able to pass
 * through the folders above it
 */
export async function createEngine(folder: string, programs: Programs): Promise<Engine> {
  const [sqlPort = 0, ...others] = await freePorts(1 + 2 * SERVICES.length);
  const postgres = await createPostgres(folder, programs.postgres, sqlPort);
  const ports = Object.fromEntries(
    SERVICES.map((name, at) => [name, { grpc: others[2 * at], membership: others[2 * at + 1] }]),
  ) as TemporalConfigOptions['ports'];
  const temporal = createTemporal(folder, programs.server, sqlPort, ports);
  const address = `${HOST}:${ports.frontend.grpc}`;
  async function stop(): Promise<void> {
    await temporal.end();
    await postgres.end();
  }
  return {
    address,
    postgres,
    temporal,
    async start() {
      try {
        await postgres.start();
        await createSchema(sqlPort, programs);
        await temporal.start();
        await runJob('temporal-namespace', { TEMPORAL_ADDRESS: address }, dirname(findTemporalCli()));
      } catch (error) {
        await stop();
        throw error;
      }
    },
    stop,
  };
}

/** Runs the service of docker-compose.yml that creates Temporal's databases, or updates their schemas. */
export function createSchema(sqlPort: number, { sqlTool }: Pick<Programs, 'sqlTool'>): Promise<void> {
  return runJob('temporal-schema', { SQL_HOST: HOST, SQL_PORT: String(sqlPort) }, dirname(sqlTool));
}

function createTemporal(
  folder: string,
  command: string,
  sqlPort: number,
  ports: TemporalConfigOptions['ports'],
): Server {
  const environment = environmentOf('temporal', {
    POSTGRES_SEEDS: HOST,
    DB_PORT: String(sqlPort),
    BIND_ON_IP: HOST,
    DYNAMIC_CONFIG_FILE_PATH: join(PROJECT_ROOT, 'deploy', 'temporal', 'dynamic-config.yaml'),
  });
  mkdirSync(join(folder, 'config'));
  // The file has the password of the database.
  const config = JSON.stringify(buildTemporalConfig({ environment, ports }));
  writeFileSync(join(folder, 'config', 'compose.yaml'), config, { mode: 0o600 });
  return createServer({
    name: 'temporal',
    command,
    args: [
      ...['--root', folder, '--config', 'config', '--env', 'compose', '--allow-no-auth', 'start'],
      ...SERVICES.flatMap((name) => ['--service', name]),
    ],
    options: { env: { PATH: '/usr/bin:/bin' } },
    isReady: () => isListening(HOST, ports.frontend.grpc),
  });
}
