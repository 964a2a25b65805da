import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Programs } from '../files/programs';
import type { Leftovers } from '../processes/leftovers';
import { type RunningPart, spawnPart } from '../processes/spawn-part';
import { waitForPart } from '../processes/wait-for-part';

const READY_LIMIT_MS = 30_000;
const STOP_LIMIT_MS = 5_000;
const CHECK_LIMIT_MS = 2_000;

export interface TemporalUiOptions {
  readonly programs: Pick<Programs, 'ui'>;
  /** The folder of the cluster, which holds configuration and log. */
  readonly folder: string;
  readonly port: number;
  /** host:port of the server. */
  readonly temporalAddress: string;
  readonly namespace: string;
  readonly leftovers: Leftovers;
}

/**
 * Starts Temporal's UI.
 * @throws HoldfastError `ENGINE_UNAVAILABLE` if it does not become ready
 */
export async function startTemporalUi(
  options: TemporalUiOptions,
  signal?: AbortSignal,
): Promise<RunningPart> {
  const { programs, folder, port, leftovers } = options;
  const part = await spawnPart({
    name: 'temporal-ui',
    command: programs.ui,
    args: ['--root', folder, '--config', writeConfig(options), '--env', 'cluster', 'start'],
    env: { PATH: '/usr/bin:/bin' },
    output: join(folder, 'temporal-ui.log'),
    stopLimitMs: STOP_LIMIT_MS,
    leftovers,
  });
  const url = `http://127.0.0.1:${port}/healthz`;
  const check = async (): Promise<void> => {
    const { status } = await fetch(url, { signal: AbortSignal.timeout(CHECK_LIMIT_MS) });
    if (status !== 200) throw new Error(`${url} answered ${status}`);
  };
  return waitForPart(part, { what: "Temporal's UI", limitMs: READY_LIMIT_MS, signal, check });
}

function writeConfig({ folder, port, temporalAddress, namespace }: TemporalUiOptions): string {
  const name = 'temporal-ui-config';
  mkdirSync(join(folder, name), { recursive: true });
  const config = {
    temporalGrpcAddress: temporalAddress,
    host: '127.0.0.1',
    port,
    enableUi: true,
    defaultNamespace: namespace,
    // Otherwise the page would ask a server on the internet for new versions.
    notifyOnNewVersion: false,
    cors: { cookieInsecure: true, allowOrigins: [`http://localhost:${port}`, `http://127.0.0.1:${port}`] },
  };
  writeFileSync(join(folder, name, 'cluster.yaml'), `${JSON.stringify(config, null, 2)}\n`);
  return name;
}
