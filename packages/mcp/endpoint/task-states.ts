import { type CallToolResult, type InputRequests, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { ErrorCode } from '../../../src/base/error-codes';
import { HoldfastError } from '../../../src/base/errors';
import type { Approval } from '../../../src/contracts/http/approvals';
import type { RunRecord } from '../../../temporal/runs/run-lookup';
import { serverClock } from '../../../temporal/server-clock';
import { toForm } from './approval-input';
import { type ResultOptions, toCallResult, toFailedResult } from './call-results';
import { isToolFailure, textOf } from './protocol-errors';

/** A task as clients see it (io.modelcontextprotocol/tasks). Times are ISO 8601, durations milliseconds. */
export interface Task extends Record<string, unknown> {
  readonly taskId: string;
  readonly status: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** How long it is kept from its creation; null while that is not known. */
  readonly ttlMs: number | null;
  readonly pollIntervalMs: number;
  readonly inputRequests?: InputRequests;
  readonly result?: CallToolResult;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Clients ask often at first, because most runs are short. */
const POLL_SOON_MS = 1_000;
const POLL_LATER_MS = 5_000;
const SHORT_RUN_MS = 60_000;

/** Statuses of runs that did not end by their own code. */
const CUT_OFF: ReadonlySet<string> = new Set(['terminated', 'timed_out']);
/** Codes of failures that are not those of a tool. */
const RUN_FAILURES: ReadonlySet<string> = new Set(['RUN_HARMFUL', 'RUN_TIMEOUT']);

/** Builds the task of a run that is open. Pure but for the clock. @param approvals those that it waits for */
export function toOpenTask(
  taskId: string,
  { startedAt }: Pick<RunRecord, 'startedAt'>,
  approvals: readonly Approval[],
): Task {
  const newest = approvals
    .map(({ requestedAt }) => requestedAt)
    .sort()
    .at(-1);
  const isYoung = serverClock.now() - Date.parse(startedAt) < SHORT_RUN_MS;
  return {
    taskId,
    status: newest === undefined ? 'working' : 'input_required',
    createdAt: startedAt,
    lastUpdatedAt: newest ?? startedAt,
    ttlMs: null,
    pollIntervalMs: isYoung ? POLL_SOON_MS : POLL_LATER_MS,
    ...(newest === undefined
      ? {}
      : { inputRequests: Object.fromEntries(approvals.map((approval) => [approval.id, toForm(approval)])) }),
  };
}

/**
 * Builds the task of a run that has ended. Pure.
 * @param retentionMs how long the server keeps ended runs; 0 if that is not known
 * @param hasOutputSchema as in `toCallResult`
 */
export function toEndedTask(
  taskId: string,
  record: RunRecord,
  retentionMs: number,
  shown: ResultOptions,
): Task {
  const { startedAt, closedAt, workflowId, runId, type, status } = record;
  const endedAt = closedAt ?? startedAt;
  const lifetime = Date.parse(endedAt) - Date.parse(startedAt);
  const task = {
    taskId,
    createdAt: startedAt,
    lastUpdatedAt: endedAt,
    ttlMs: retentionMs === 0 ? null : lifetime + retentionMs,
    pollIntervalMs: POLL_SOON_MS,
  };
  const run = { workflowId, runId };
  if (record.error === undefined)
    return {
      ...task,
      status: 'completed',
      result: toCallResult(type, record.result, run, shown),
    };
  if (status === 'cancelled') return { ...task, status, statusMessage: record.error.message };
  const { message } = record.error;
  const error = new HoldfastError(record.error.code as ErrorCode, message);
  if (isToolFailure(error) && !CUT_OFF.has(status) && !RUN_FAILURES.has(error.code))
    return { ...task, status: 'completed', result: toFailedResult(error, run) };
  const text = textOf(error);
  return {
    ...task,
    status: 'failed',
    statusMessage: text,
    error: { code: ProtocolErrorCode.InternalError, message: text },
  };
}
