import { Client } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import type { NativeConnectionOptions } from '@temporalio/worker';
import { NativeConnection } from '@temporalio/worker';
import type { Config } from '../src/config';
import { HoldfastError, messageOf } from '../src/errors';
import type { Logger } from '../src/logger';
import { registerSearchAttributes } from './search-attributes';

const RETRY_DELAY_MS = 500;
const CHECK_LIMIT_MS = 1_000;

/** A live connection to the Temporal server, shared by client and worker so that eager start works. */
export interface EngineConnection {
  readonly native: NativeConnection;
  readonly client: Client;
  readonly namespace: string;
  /** False where the server did not let the custom search attributes be registered. */
  readonly searchAttributes: boolean;
}

/** Finds the Temporal server, and goes on trying until it is there. */
export interface Engine {
  readonly address: string;
  /** The connection, as soon as there is one; rejects when closed first. */
  ready(): Promise<EngineConnection>;
  /** @throws HoldfastError `ENGINE_UNAVAILABLE` where there is no connection yet */
  current(): EngineConnection;
  /** One bounded round trip. @throws HoldfastError `ENGINE_UNAVAILABLE` */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface EngineOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly dataConverter: DataConverter;
  /** host:port of the server, where it is not the configured one. */
  readonly address?: string;
}

interface Target {
  readonly connection: NativeConnectionOptions;
  readonly namespace: string;
  readonly address: string;
}

/**
 * A server of our own is reached as it was started. Any other by the SDK's own rules for address, namespace, TLS and
 * API key, a profile file being read only where one was asked for.
 */
function findTarget({ config, address }: EngineOptions): Target {
  const namespace = config.TEMPORAL_NAMESPACE ?? 'default';
  const local = address ?? (config.externalTemporal ? undefined : `127.0.0.1:${config.TEMPORAL_PORT}`);
  if (local !== undefined) return { connection: { address: local }, namespace, address: local };
  const environment = Object.fromEntries(
    Object.entries(config.environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const { connectionOptions, namespace: loaded = namespace } = loadClientConnectConfig({
    disableFile: config.TEMPORAL_PROFILE === undefined,
    overrideEnvVars: environment,
    ...(config.TEMPORAL_PROFILE === undefined ? {} : { profile: config.TEMPORAL_PROFILE }),
  });
  const { address: named } = connectionOptions;
  if (named === undefined) throw new Error('the profile names no address');
  return { connection: connectionOptions, namespace: loaded, address: named };
}

/** @throws HoldfastError `CONFIGURATION` when Temporal's own settings cannot be read */
export function createEngine(options: EngineOptions): Engine {
  const { logger } = options;
  let target: Target;
  try {
    target = findTarget(options);
  } catch (error) {
    throw new HoldfastError('CONFIGURATION', `The settings of Temporal cannot be used: ${messageOf(error)}`);
  }
  let established: EngineConnection | undefined;
  let closed = false;
  let wake: (() => void) | undefined;

  async function connectOnce(): Promise<EngineConnection> {
    const native = await NativeConnection.connect(target.connection);
    try {
      const searchAttributes = await registerSearchAttributes(native, target.namespace, logger);
      const client = new Client({
        connection: native,
        namespace: target.namespace,
        dataConverter: options.dataConverter,
        identity: options.config.identity,
      });
      return { native, client, namespace: target.namespace, searchAttributes };
    } catch (error) {
      await native.close();
      throw error;
    }
  }

  // NativeConnection cannot connect lazily, hence the loop.
  async function connect(): Promise<EngineConnection> {
    for (let failures = 0; !closed; failures += 1) {
      try {
        established = await connectOnce();
        logger.info({ address: target.address, namespace: target.namespace }, 'connected to Temporal');
        return established;
      } catch (error) {
        if (failures % 20 === 0) {
          logger.warn(
            { address: target.address, reason: messageOf(error) },
            'Temporal is not reachable; trying again',
          );
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
          setTimeout(resolve, RETRY_DELAY_MS).unref();
        });
      }
    }
    throw unavailable(target.address, 'the process is stopping');
  }

  const connecting = connect();
  connecting.catch(() => undefined);

  function current(): EngineConnection {
    if (established === undefined) throw unavailable(target.address, 'not connected yet');
    return established;
  }

  return {
    address: target.address,
    ready: () => connecting,
    current,
    async check() {
      const { native, namespace } = current();
      try {
        await native.withDeadline(Date.now() + CHECK_LIMIT_MS, () =>
          native.workflowService.describeNamespace({ namespace }),
        );
      } catch (error) {
        throw unavailable(target.address, messageOf(error));
      }
    },
    async close() {
      closed = true;
      wake?.();
      const last = await connecting.catch(() => undefined);
      await last?.native.close();
    },
  };
}

export function unavailable(address: string, reason: string): HoldfastError {
  return new HoldfastError('ENGINE_UNAVAILABLE', `Temporal is not reachable at ${address}: ${reason}`, {
    details: { service: 'temporal', reason },
    retryable: true,
  });
}
