import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { messageOf } from '../../src/base/errors';
import { toDuration, toMs } from '../proto-time';
import { addAttributes, isRefusal, listMissing } from '../search-attributes';
import type { DevServerOptions, SearchAttributeType } from './options';

const POLL_MS = 25;
const CALL_LIMIT_MS = 2_000;
const DAY_S = 86_400;

const { IndexedValueType } = temporal.api.enums.v1;
const VALUE_TYPES = {
  Text: IndexedValueType.INDEXED_VALUE_TYPE_TEXT,
  Keyword: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD,
  Int: IndexedValueType.INDEXED_VALUE_TYPE_INT,
  Double: IndexedValueType.INDEXED_VALUE_TYPE_DOUBLE,
  Bool: IndexedValueType.INDEXED_VALUE_TYPE_BOOL,
  Datetime: IndexedValueType.INDEXED_VALUE_TYPE_DATETIME,
  KeywordList: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD_LIST,
} as const satisfies Record<SearchAttributeType, unknown>;

type Target = Pick<DevServerOptions, 'host' | 'port' | 'namespace' | 'searchAttributes'>;

/**
 * Resolves when the server answers over gRPC and has the namespace and the search attributes, of which it adds those that
 * are missing.
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

/**
 * Asks the server once, with a time limit, and adds search attributes that it lacks: the server adds those of its command line to
 * a new database alone. Returns what it still lacks, or an empty string if it is ready.
 */
export async function findReadinessProblem(target: Target): Promise<string> {
  try {
    return await withConnection(target, async (connection) => {
      await connection.workflowService.describeNamespace({ namespace: target.namespace });
      const names = Object.keys(target.searchAttributes);
      let missing = await listMissing(connection, target.namespace, names, CALL_LIMIT_MS);
      if (missing.length > 0) {
        if (!(await addMissing(connection, target, missing))) return '';
        missing = await listMissing(connection, target.namespace, names, CALL_LIMIT_MS);
      }
      return missing.length === 0 ? '' : `search attributes ${missing.join(', ')} are missing`;
    });
  } catch (error) {
    return messageOf(error);
  }
}

/** Returns false if the server refuses the attributes, for example because its database has no room: it works without. */
async function addMissing(
  connection: Connection,
  { namespace, searchAttributes }: Target,
  missing: readonly string[],
): Promise<boolean> {
  const types = Object.entries(searchAttributes)
    .filter(([name]) => missing.includes(name))
    .map(([name, type]) => [name, VALUE_TYPES[type]] as const);
  try {
    await addAttributes(connection, namespace, Object.fromEntries(types), CALL_LIMIT_MS);
    return true;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}

/** Sets how long the namespace keeps closed runs, unless it has this value already. */
export async function setRetention(target: Target, days: number): Promise<void> {
  await withConnection(target, async (connection) => {
    const { namespace } = target;
    const { config } = await connection.workflowService.describeNamespace({ namespace });
    if (toMs(config?.workflowExecutionRetentionTtl) === days * DAY_S * 1_000) return;
    await connection.workflowService.updateNamespace({
      namespace,
      config: { workflowExecutionRetentionTtl: toDuration(days * DAY_S) },
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
