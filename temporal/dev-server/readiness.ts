import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { msToTs, optionalTsToMs } from '@temporalio/common/lib/time';
import { messageOf } from '../../src/base/errors';
import type { DevServerOptions } from './options';

const POLL_MS = 25;
const CALL_LIMIT_MS = 2_000;
const DAY_MS = 86_400_000;

type Target = Pick<DevServerOptions, 'host' | 'port' | 'namespace' | 'searchAttributes'>;

/**
 * Resolves when the server answers over gRPC and has the namespace and the search attributes.
 *
 * @param stopped aborts the wait, for instance when the server has ended
 * @throws Error that says what the server lacked, after `limitMs` or when `stopped` aborts
 */
export async function waitUntilReady(target: Target, limitMs: number, stopped: AbortSignal): Promise<void> {
  const deadline = Date.now() + limitMs;
  let lacking = 'nothing listens on the port';
  while (Date.now() < deadline && !stopped.aborted) {
    // The plain socket is tried first, because a gRPC channel waits a second after a refused connection.
    if (await isListening(target.host, target.port)) {
      lacking = await findReadinessProblem(target);
      if (lacking === '') return;
    }
    await delay(POLL_MS);
  }
  if (stopped.aborted) throw new Error('The server ended before it was ready.');
  throw new Error(
    `Waited ${limitMs} ms for the Temporal server on ${target.host}:${target.port} to be ready: ${lacking}.`,
  );
}

/** Asks the server once, with a time limit. Returns what it lacks, or an empty string where it is ready. */
export async function findReadinessProblem(target: Target): Promise<string> {
  try {
    return await withConnection(target, async (connection) => {
      await connection.workflowService.describeNamespace({ namespace: target.namespace });
      const { customAttributes } = await connection.operatorService.listSearchAttributes({
        namespace: target.namespace,
      });
      const missing = Object.keys(target.searchAttributes).filter((name) => !(name in customAttributes));
      return missing.length === 0 ? '' : `search attributes ${missing.join(', ')} are missing`;
    });
  } catch (error) {
    return messageOf(error);
  }
}

/** Sets how long the namespace keeps closed runs, unless it has this value already. */
export async function setRetention(target: Target, days: number): Promise<void> {
  const wanted = days * DAY_MS;
  await withConnection(target, async (connection) => {
    const { namespace } = target;
    const { config } = await connection.workflowService.describeNamespace({ namespace });
    if (optionalTsToMs(config?.workflowExecutionRetentionTtl) === wanted) return;
    await connection.workflowService.updateNamespace({
      namespace,
      config: { workflowExecutionRetentionTtl: msToTs(wanted) },
    });
  });
}

async function withConnection<T>(
  { host, port }: Target,
  action: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await Connection.connect({ address: `${host}:${port}`, connectTimeout: CALL_LIMIT_MS });
  try {
    return await connection.withDeadline(Date.now() + CALL_LIMIT_MS, () => action(connection));
  } finally {
    await connection.close();
  }
}

/** Whether a program listens on the port, by a plain socket. */
export function isListening(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CALL_LIMIT_MS });
    const answer = (listening: boolean) => () => {
      socket.destroy();
      resolve(listening);
    };
    socket.once('connect', answer(true)).once('error', answer(false)).once('timeout', answer(false));
  });
}
