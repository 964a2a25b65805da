import { mkdirSync } from 'node:fs';
import type { Logger } from '../../src/base/logger';
import { loadPasswords } from '../files/passwords';
import { ENGINE_PROGRAMS, findPrograms } from '../files/programs';
import type { Leftovers } from '../processes/leftovers';
import type { Ports } from '../processes/ports';
import { supervise, type Supervised } from '../processes/supervise';
import { ensureDatabases } from './databases';
import { startPostgres } from './postgres';
import { SERVICES, type ServerConfigOptions } from './server-config';
import { findServerUser } from './server-user';
import { startTemporalServer } from './temporal-server';
import { startTemporalUi } from './temporal-ui';

export interface EngineOptions {
  /**
   * Holds data, configuration and logs. The user that runs PostgreSQL has to be able to traverse the folders above
   * it.
   */
  readonly folder: string;
  /** Port of the server's gRPC service; 0 for any free one. */
  readonly port: number;
  /** 0 for any free one; absent if no UI is to be started. */
  readonly uiPort?: number;
  /** 0 for any free one. */
  readonly postgresPort: number;
  readonly namespace: string;
  readonly retentionDays: number;
  readonly historyShards: number;
  readonly logger: Logger;
  readonly leftovers: Leftovers;
  readonly ports: Ports;
  /** Called when a part has ended too often to be started again. */
  readonly giveUp: (reason: string) => void;
  /** Aborts a start that is under way. It has no effect on an engine that is up. */
  readonly signal?: AbortSignal;
}

/** Temporal's production server on PostgreSQL, and its UI. Parts that end by themselves are started again. */
export interface RunningEngine {
  /** host:port of the server. */
  readonly address: string;
  readonly uiUrl: string | undefined;
  /** In the order of their start: postgres, temporal, temporal-ui. */
  readonly parts: readonly Supervised[];
  stop(): Promise<void>;
}

/**
 * Starts the parts one after another, each when the parts that it needs are ready.
 *
 * @throws HoldfastError `CONFIGURATION` or `ENGINE_UNAVAILABLE` if a part does not become ready; all parts are
 * stopped then
 */
export async function startEngine(options: EngineOptions): Promise<RunningEngine> {
  const { folder, namespace, retentionDays, historyShards, logger, leftovers, ports, giveUp } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const programs = findPrograms(ENGINE_PROGRAMS);
  const password = loadPasswords(folder).postgres;
  const user = findServerUser();
  const postgresPort = await ports.assign('postgres', options.postgresPort);
  const serverPorts = await assignServerPorts(ports, options.port);
  const address = `127.0.0.1:${serverPorts.frontend.grpc}`;
  const common = { programs, folder, leftovers };

  const parts: Supervised[] = [];
  const stop = async (): Promise<void> => {
    for (const part of [...parts].reverse()) await part.stop();
  };
  const add = async (name: string, start: Parameters<typeof supervise>[0]['start']): Promise<void> => {
    parts.push(await supervise({ name, start, logger, giveUp, signal: options.signal }));
  };
  try {
    await add('postgres', (signal) =>
      startPostgres({ ...common, port: postgresPort, password, user }, signal),
    );
    await ensureDatabases({ programs, port: postgresPort, password });
    await add('temporal', (signal) =>
      startTemporalServer(
        {
          ...common,
          ports: serverPorts,
          postgresPort,
          password,
          historyShards,
          namespace: { namespace, retentionDays, historyShards, logger },
        },
        signal,
      ),
    );
    if (options.uiPort === undefined) return { address, uiUrl: undefined, parts, stop };
    const uiPort = await ports.assign('temporal-ui', options.uiPort);
    await add('temporal-ui', (signal) =>
      startTemporalUi({ ...common, port: uiPort, temporalAddress: address, namespace }, signal),
    );
    return { address, uiUrl: `http://127.0.0.1:${uiPort}`, parts, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function assignServerPorts(ports: Ports, wanted: number): Promise<ServerConfigOptions['ports']> {
  const chosen: Partial<Record<(typeof SERVICES)[number], { grpc: number; membership: number }>> = {};
  for (const name of SERVICES) {
    chosen[name] = {
      grpc: await ports.assign(`temporal-${name}`, name === 'frontend' ? wanted : 0),
      membership: await ports.assign(`temporal-${name}-membership`),
    };
  }
  return chosen as ServerConfigOptions['ports'];
}
