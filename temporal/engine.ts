import { setTimeout as delay } from 'node:timers/promises';
import { Client, isGrpcServiceError } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { NativeConnection, type NativeConnectionOptions } from '@temporalio/worker';
import type { Config } from '../src/settings/config';
import { HoldfastError, messageOf } from '../src/base/errors';
import type { Logger } from '../src/base/logger';
import { beforeDeadline } from './deadline';
import { toMs } from './proto-time';
import { watchClock } from './measure-clock';
import { type KnownAttributes, registerSearchAttributes } from './search-attributes';
import { serverClock } from './server-clock';
import { NOT_FOUND, PERMISSION_DENIED } from './grpc-status';
import { withinTime } from '../src/base/async/time-limit';
import { LOOPBACK } from '../src/base/http/listening-url';

/** How many checks in a row have to fail before a server counts as away. */
const FAILURES = 3;

const UNAUTHENTICATED = 16;

const RETRY_DELAY_MS = 500;
/** Limits an attempt to connect, because a server may accept a connection and then never answer. */
const CONNECT_LIMIT_MS = 10_000;
/** A shutdown waits this long for an attempt to connect, because the SDK cannot abort one. */
const CLOSE_LIMIT_MS = 1_000;
const CHECK_LIMIT_MS = 1_000;
/** Time from the end of one check of the server to the next. */
const WATCH_EVERY_MS = 2_000;
/** The same time after a check that failed. */
const WATCH_AGAIN_MS = 500;
/** The same failure is logged once in this number of failures. */
const FAILURES_PER_LINE = 20;
/** What the names of variables begin with that set a gRPC header. */
const GRPC_HEADER = 'TEMPORAL_GRPC_META_';

/** A live connection to the Temporal server, shared by client and worker so that eager start works. */
export interface EngineConnection {
  readonly native: NativeConnection;
  readonly client: Client;
  readonly namespace: string;
  /** The server's own id of the namespace. Namespaces of two servers differ by it even if their names are equal. */
  readonly namespaceId: string;
  /**
   * How long the server keeps a run that has ended, ms, read when the connection was made; 0 if the server did not
   * report it.
   */
  readonly retentionMs: number;
  /** The custom search attributes that the server has, or let the service register. */
  readonly searchAttributes: KnownAttributes;
}

/** Connects to the Temporal server, and retries until the server can be reached. */
export interface Engine {
  readonly address: string;
  /** Resolves with the connection once it is established. Rejects if the engine is closed first. */
  ready(): Promise<EngineConnection>;
  /** @throws HoldfastError `ENGINE_UNAVAILABLE` if the engine is not connected yet */
  current(): EngineConnection;
  /**
   * Makes one round trip to the server, with a time limit.
   * @throws HoldfastError `ENGINE_UNAVAILABLE` if the server does not answer
   */
  check(): Promise<void>;
  /**
   * Whether the server can be reached, by checks in the background: false after three failed checks in a row, which
   * takes one to six seconds, and true after the first that is answered. The call itself makes no round trip.
   */
  isReachable(): boolean;
  close(): Promise<void>;
}

export interface EngineOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly dataConverter: DataConverter;
  /** host:port of the server; absent for the one of the settings. */
  readonly address?: string;
}

interface Target {
  readonly connection: NativeConnectionOptions;
  readonly namespace: string;
  readonly address: string;
}

/**
 * Finds how to connect. The development server that this service runs has a known address. For any other server the
 * SDK's rules for address, namespace, TLS and API key apply, and a profile file is read only if TEMPORAL_PROFILE
 * is set.
 */
function findTarget({ config, address }: EngineOptions): Target {
  const namespace = config.TEMPORAL_NAMESPACE ?? 'default';
  const local = address ?? (config.externalTemporal ? undefined : `127.0.0.1:${config.TEMPORAL_PORT}`);
  if (local !== undefined) return { connection: { address: local }, namespace, address: local };
  const environment = Object.fromEntries(Object.entries(config.environment).filter(isSet));
  const { connectionOptions, namespace: loaded = namespace } = loadClientConnectConfig({
    disableFile: config.TEMPORAL_PROFILE === undefined,
    overrideEnvVars: environment,
    profile: config.TEMPORAL_PROFILE,
  });
  const { address: named } = connectionOptions;
  if (named === undefined) throw new Error('the profile names no address');
  return { connection: connectionOptions, namespace: loaded, address: named };
}

/**
 * Whether the SDK reads a variable of the environment. An empty one counts as absent, as in all settings of the service. Only one
 * that names a gRPC header means something when it is empty: it removes this header of the profile.
 */
function isSet(variable: [string, string | undefined]): variable is [string, string] {
  const [name, value] = variable;
  return value !== undefined && (value !== '' || name.startsWith(GRPC_HEADER));
}

/**
 * Creates the engine and begins to connect.
 * @throws HoldfastError `CONFIGURATION` if Temporal's own settings cannot be read
 */
export function createEngine(options: EngineOptions): Engine {
  const { logger } = options;
  let target: Target;
  try {
    target = findTarget(options);
  } catch (error) {
    throw new HoldfastError('CONFIGURATION', `The settings of Temporal cannot be used: ${messageOf(error)}`);
  }
  let established: EngineConnection | undefined;
  const reachability = createReachability();
  let watch: NodeJS.Timeout | undefined;
  const closing = new AbortController();
  const isClosed = (): boolean => closing.signal.aborted;

  async function connectOnce(): Promise<EngineConnection> {
    const native = await connectWithin(CONNECT_LIMIT_MS, target.connection);
    const { namespace } = target;
    try {
      // This call also proves that the server answers, which a connection alone does not.
      const { namespaceInfo, config } = await beforeDeadline(native, Date.now() + CONNECT_LIMIT_MS, () =>
        native.workflowService.describeNamespace({ namespace }),
      );
      const searchAttributes = await registerSearchAttributes(native, namespace, logger);
      const client = new Client({
        connection: native,
        namespace,
        dataConverter: options.dataConverter,
        identity: options.config.identity,
      });
      const namespaceId = namespaceInfo?.id || `${target.address}/${namespace}`;
      const retentionMs = toMs(config?.workflowExecutionRetentionTtl);
      return { native, client, namespace, namespaceId, retentionMs, searchAttributes };
    } catch (error) {
      await native.close();
      throw error;
    }
  }

  // The loop is needed because NativeConnection cannot connect lazily. Its timer keeps the process alive meanwhile.
  async function connect(): Promise<EngineConnection> {
    let lastMessage = '';
    for (let failures = 0; !isClosed(); failures += 1) {
      try {
        const connection = await connectOnce();
        const { native, namespace } = connection;
        const queue = `${options.config.TASK_QUEUE}-clock`;
        await watchClock({ native, namespace, queue }, serverClock, { logger, stopped: closing.signal });
        established = connection;
        reachability.note(true);
        watchServer();
        // The line of a start has the address.
        const level = lastMessage === '' ? 'debug' : 'info';
        logger[level]({ address: target.address, namespace: target.namespace }, 'connected to Temporal');
        return connection;
      } catch (error) {
        if (isClosed()) break;
        const { level, message } = describeConnectFailure(error);
        if (message !== lastMessage || failures % FAILURES_PER_LINE === 0) {
          const { address, namespace } = target;
          logger[level]({ address, namespace, reason: messageOf(error) }, message);
          lastMessage = message;
        }
        await delay(RETRY_DELAY_MS, undefined, { signal: closing.signal }).catch(() => undefined);
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

  async function check(): Promise<void> {
    const { native, namespace } = current();
    try {
      await beforeDeadline(native, Date.now() + CHECK_LIMIT_MS, () =>
        native.workflowService.describeNamespace({ namespace }),
      );
    } catch (error) {
      throw unavailable(target.address, messageOf(error));
    }
  }

  function watchServer(waitMs = WATCH_EVERY_MS): void {
    if (isClosed()) return;
    const look = (): Promise<void> =>
      check().then(
        () => {
          reachability.note(true);
          watchServer();
        },
        () => {
          reachability.note(false);
          watchServer(WATCH_AGAIN_MS);
        },
      );
    watch = setTimeout(() => void look(), waitMs).unref();
  }

  return {
    address: target.address,
    ready: () => connecting,
    current,
    check,
    isReachable: () => reachability.isReachable() && !isClosed(),
    async close() {
      closing.abort();
      clearTimeout(watch);
      const last = await withinTime(
        connecting.catch(() => undefined),
        CLOSE_LIMIT_MS,
      );
      await last?.native.close();
    },
  };
}

/** Connects, or fails after `limitMs`. A connection that is established later is closed. */
async function connectWithin(limitMs: number, options: NativeConnectionOptions): Promise<NativeConnection> {
  const connecting = NativeConnection.connect({ ...compressionFor(options), ...options });
  const connection = await withinTime(connecting, limitMs);
  if (connection !== undefined) return connection;
  connecting.then((late) => late.close()).catch(() => undefined);
  throw new Error(`no answer within ${limitMs} ms`);
}

export function unavailable(address: string, reason: string): HoldfastError {
  return new HoldfastError('ENGINE_UNAVAILABLE', `Temporal is not reachable at ${address}: ${reason}`, {
    details: { service: 'temporal', reason },
    retryable: true,
  });
}

/**
 * The SDK compresses requests by default. On a connection within this machine that costs both ends work and saves
 * nothing, so it is off there.
 */
export function compressionFor({
  address = '',
}: Pick<NativeConnectionOptions, 'address'>): Pick<NativeConnectionOptions, 'grpcCompression'> {
  const host = address.replace(/:\d+$/, '');
  return LOOPBACK.test(host) ? { grpcCompression: { codec: 'none' } } : {};
}

interface ConnectFailure {
  /** `error` for a failure that does not end by waiting, such as refused credentials. */
  readonly level: 'warn' | 'error';
  readonly message: string;
}

/** Describes why a process could not connect to Temporal: the server is away, or it refuses the process. */
export function describeConnectFailure(error: unknown): ConnectFailure {
  const code = codeOf(error);
  if (code === NOT_FOUND) {
    return { level: 'error', message: 'Temporal does not know the namespace; trying again' };
  }
  if (code === PERMISSION_DENIED || code === UNAUTHENTICATED) {
    return { level: 'error', message: 'Temporal refuses the credentials; trying again' };
  }
  return { level: 'warn', message: 'Temporal is not reachable; trying again' };
}

/** The gRPC status. If connecting itself fails, the SDK reports it in the text of the error alone. */
function codeOf(error: unknown): number | undefined {
  if (isGrpcServiceError(error)) return error.code;
  const text = messageOf(error);
  if (/unauthenticated/i.test(text)) return UNAUTHENTICATED;
  return /permission_?\s?denied/i.test(text) ? PERMISSION_DENIED : undefined;
}

/** Decides by regular checks whether a server can be reached. */
interface Reachability {
  /** Records the outcome of a check. */
  note(answered: boolean): void;
  isReachable(): boolean;
}

/**
 * A single check without an answer may only mean that the server is busy, so the server counts as away after several
 * in a row. One answered check is enough for it to count as reachable again.
 */
function createReachability(): Reachability {
  let failures = FAILURES;
  return {
    note(answered) {
      failures = answered ? 0 : failures + 1;
    },
    isReachable: () => failures < FAILURES,
  };
}
