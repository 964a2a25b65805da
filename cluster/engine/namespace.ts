import { connect } from 'node:net';
import { Connection, isGrpcServiceError } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import { SEARCH_ATTRIBUTES } from '../../src/contracts/runs/search-attributes';
import type { Logger } from '../../src/base/logger';
import { setRetention } from '../../temporal/dev-server/readiness';
import { registerSearchAttributes } from '../../temporal/search-attributes';

const HOST = '127.0.0.1';
const CALL_LIMIT_MS = 5_000;
const DAY_MS = 86_400_000;
/** A set, as the type of the codes belongs to a package of the client's own. */
const NOT_FOUND = new Set([5]);

export interface NamespaceOptions {
  readonly port: number;
  readonly namespace: string;
  /** Days that a closed run is kept. */
  readonly retentionDays: number;
  /** As the settings have it. */
  readonly historyShards: number;
  readonly logger: Logger;
}

/**
 * Sees to the namespace, its retention and the search attributes, and says where the data have another number of history
 * shards than the settings: the server goes on with theirs.
 *
 * @throws Error as long as the server is not there or runs cannot be started and found yet
 */
export async function ensureNamespace(options: NamespaceOptions): Promise<void> {
  const { port, namespace, retentionDays, historyShards, logger } = options;
  // A gRPC channel that was refused once waits a second before it tries again; a plain socket does not.
  await isListening(port);
  const connection = await Connection.connect({
    address: `${HOST}:${port}`,
    connectTimeout: CALL_LIMIT_MS,
  });
  const bounded = <T>(action: () => Promise<T>): Promise<T> =>
    connection.withDeadline(Date.now() + CALL_LIMIT_MS, action);
  try {
    await bounded(() => register(connection, namespace, retentionDays));
    await setRetention({ host: HOST, port, namespace, searchAttributes: {} }, retentionDays);
    await registerSearchAttributes(connection, namespace, logger);
    // The server's parts learn of what is new one after another.
    const query = Object.keys(SEARCH_ATTRIBUTES)
      .map((name) => `${name} = 'nothing'`)
      .join(' AND ');
    await bounded(() => connection.workflowService.countWorkflowExecutions({ namespace, query }));
    const cluster = await bounded(() => connection.workflowService.getClusterInfo({}));
    if (cluster.historyShardCount !== historyShards)
      logger.warn(
        { CLUSTER_HISTORY_SHARDS: historyShards, ofTheData: cluster.historyShardCount },
        "the number of history shards was fixed by the first start on the data; the setting's is not used",
      );
  } finally {
    await connection.close();
  }
}

async function register(connection: Connection, namespace: string, retentionDays: number): Promise<void> {
  try {
    await connection.workflowService.describeNamespace({ namespace });
  } catch (error) {
    if (!isGrpcServiceError(error) || !NOT_FOUND.has(error.code)) throw error;
    await connection.workflowService.registerNamespace({
      namespace,
      description: 'holdfast',
      workflowExecutionRetentionPeriod: msToTs(retentionDays * DAY_MS),
    });
    // Known to all parts of the server a moment later.
    await connection.workflowService.describeNamespace({ namespace });
  }
}

function isListening(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: HOST, port, timeout: CALL_LIMIT_MS });
    const finish = (settle: () => void) => () => {
      socket.destroy();
      settle();
    };
    const fail = finish(() => reject(new Error(`nothing listens on port ${port}`)));
    socket.once('connect', finish(resolve)).once('error', fail).once('timeout', fail);
  });
}
