import { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../src/contracts/runs/search-attributes';
import type { Logger } from '../../src/base/logger';
import { isListening, setRetention } from '../../temporal/dev-server/readiness';
import { toDuration } from '../../temporal/proto-time';
import { NOT_FOUND, testGrpcStatus } from '../../temporal/grpc-status';
import { registerSearchAttributes } from '../../temporal/search-attributes';

const HOST = '127.0.0.1';
const CALL_LIMIT_MS = 5_000;
const DAY_S = 86_400;

export interface NamespaceOptions {
  readonly port: number;
  readonly namespace: string;
  /** How long the server keeps a closed run, days. */
  readonly retentionDays: number;
  /** The number in the settings. */
  readonly historyShards: number;
  readonly logger: Logger;
}

/**
 * Registers the namespace and the search attributes if they are missing, and sets the retention. It logs a warning
 * if the data have another number of history shards than the settings, because the server uses that of the data.
 *
 * @throws Error while the server cannot be reached, or runs cannot be started and found yet
 */
export async function ensureNamespace(options: NamespaceOptions): Promise<void> {
  const { port, namespace, retentionDays, historyShards, logger } = options;
  // The plain socket is tried first, because a gRPC channel waits a second after a refused connection.
  if (!(await isListening(HOST, port))) throw new Error(`nothing listens on port ${port}`);
  const connection = await Connection.connect({
    address: `${HOST}:${port}`,
    connectTimeout: CALL_LIMIT_MS,
  });
  const bounded = <T>(action: () => Promise<T>): Promise<T> =>
    connection.withDeadline(Date.now() + CALL_LIMIT_MS, action);
  try {
    await bounded(() => ensureRegistered(connection, namespace, retentionDays));
    await setRetention({ host: HOST, port, namespace, searchAttributes: {} }, retentionDays);
    await registerSearchAttributes(connection, namespace, logger);
    // The parts of the server learn of new search attributes one after another. This query fails until all know them.
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

async function ensureRegistered(
  connection: Connection,
  namespace: string,
  retentionDays: number,
): Promise<void> {
  try {
    await connection.workflowService.describeNamespace({ namespace });
  } catch (error) {
    if (!testGrpcStatus(error, (status) => status === NOT_FOUND)) throw error;
    await connection.workflowService.registerNamespace({
      namespace,
      description: 'holdfast',
      workflowExecutionRetentionPeriod: toDuration(retentionDays * DAY_S),
    });
    // This call fails until all parts of the server know the namespace, about a second later.
    await connection.workflowService.describeNamespace({ namespace });
  }
}
