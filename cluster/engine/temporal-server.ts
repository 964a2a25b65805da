import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Programs } from '../files/programs';
import type { Leftovers } from '../processes/leftovers';
import { type RunningPart, spawnPart } from '../processes/spawn-part';
import { waitForPart } from '../processes/wait-for-part';
import { ensureNamespace, type NamespaceOptions } from './namespace';
import { buildDynamicConfig, buildServerConfig, type ServerConfigOptions, SERVICES } from './server-config';

const READY_LIMIT_MS = 90_000;
const STOP_LIMIT_MS = 20_000;

export interface TemporalServerOptions extends Omit<ServerConfigOptions, 'dynamicConfigFile'> {
  readonly programs: Pick<Programs, 'server'>;
  /** The folder of the cluster, which holds configuration and log. */
  readonly folder: string;
  readonly namespace: Omit<NamespaceOptions, 'port'>;
  readonly leftovers: Leftovers;
}

/**
 * Starts Temporal's production server on databases that are set up, with all its services in one process. It resolves
 * when the namespace exists and runs can be started.
 *
 * @throws HoldfastError `ENGINE_UNAVAILABLE` if the server does not become ready
 */
export async function startTemporalServer(
  options: TemporalServerOptions,
  signal?: AbortSignal,
): Promise<RunningPart> {
  const { programs, folder, ports, leftovers } = options;
  const configFolder = writeConfig(options);
  const part = await spawnPart({
    name: 'temporal',
    command: programs.server,
    args: [
      ...['--root', folder, '--config', configFolder, '--env', 'cluster', '--allow-no-auth', 'start'],
      ...SERVICES.flatMap((name) => ['--service', name]),
    ],
    env: { PATH: '/usr/bin:/bin' },
    output: join(folder, 'temporal.log'),
    stopLimitMs: STOP_LIMIT_MS,
    leftovers,
  });
  const port = ports.frontend.grpc;
  const check = (): Promise<void> => ensureNamespace({ ...options.namespace, port });
  return waitForPart(part, { what: `Temporal on port ${port}`, limitMs: READY_LIMIT_MS, signal, check });
}

/** Writes the configuration files. @returns the name of their folder inside the cluster's folder */
function writeConfig(options: TemporalServerOptions): string {
  const name = 'temporal-config';
  const folder = join(options.folder, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const dynamicConfigFile = join(folder, 'dynamic.yaml');
  writeJson(dynamicConfigFile, buildDynamicConfig());
  writeJson(join(folder, 'cluster.yaml'), buildServerConfig({ ...options, dynamicConfigFile }));
  return name;
}

/** Writes a file that only its owner can read, because one of the files contains the password of the database. */
function writeJson(file: string, content: object): void {
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
}
