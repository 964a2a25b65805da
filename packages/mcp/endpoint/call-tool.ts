import {
  type CallToolRequestParams,
  type CallToolResult,
  inputRequired,
  type InputRequiredResult,
  isInputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { readPendingApprovals } from '../../../temporal/approvals/pending-approvals';
import type { StartedRun } from '../../../temporal/runs/started-run';
import { HoldfastError, isHoldfastError, messageOf } from '../../../src/base/errors';
import type { Approval } from '../../../src/contracts/http/approvals';
import { bindIdempotencyKey } from '../../../api/http/request-headers';
import { answerApprovals } from './answer-approvals';
import { toForm } from './approval-input';
import {
  readLargeData,
  type ResultOptions,
  toCallResult,
  toFailedResult,
  toUnfinishedResult,
  metaOfRun,
} from './call-results';
import type { Exchange } from './exchange';
import { findTool } from './find-tool';
import type { McpPorts } from './mcp-ports';
import { isToolFailure, textOf } from './protocol-errors';
import { type CallState, createCallStates, type Run } from './task-ids';
import { createTask, requireTasks } from './tasks';
import { type RunData, waitForData } from './wait-for-data';
import { stopRun } from '../../../temporal/runs/stop-run';
import { SILENCE_MS } from '../../../api/http/event-stream';
import type { RunFeeds } from '../../../temporal/run-events/run-feeds';
import { IDEMPOTENCY_META } from '../../../src/contracts/constants';

/** What the error of a run says that waits for a person. */
interface PauseDetails {
  readonly approvals?: readonly Approval[];
  /** Why the last answer was not possible. */
  readonly problem?: string;
}

export type ToolAnswer = CallToolResult | InputRequiredResult;

/** How long the call of a client that takes tasks waits for its result before it becomes one, milliseconds. */
const TASK_AFTER_MS = 500;

/** One call of a client. */
interface Call {
  readonly ports: McpPorts;
  readonly exchange: Exchange;
  readonly name: string;
  readonly idempotencyKey: string | undefined;
  readonly shown: ResultOptions;
}

/**
 * Calls a tool. The answer is its result; a task, if the client takes tasks and the run is not over soon; or a form, if
 * the run waits for a person whom the client can ask. The run of a call that its client gives up is cancelled.
 * @throws ProtocolError, or HoldfastError for an error that is not one of the tool
 */
export async function callTool(
  ports: McpPorts,
  { name, arguments: args = {} }: CallToolRequestParams,
  exchange: Exchange,
): Promise<ToolAnswer> {
  const tool = await findTool(ports, name, exchange.context);
  const answer = await tool?.answer?.(args, exchange.mcp);
  if (answer !== undefined) return answer;
  const idempotencyKey = readKey(exchange);
  const shown = {
    hasOutputSchema: tool?.definition.outputSchema !== undefined,
    linksRuns: ports.offered.has('resources'),
  };
  const call = { ports, exchange, name, idempotencyKey, shown };
  const state = exchange.mcp.mcpReq.requestState<CallState>();
  // The run goes on even if its tool was removed meanwhile.
  if (state !== undefined) return goOnWith(call, state);
  if (tool === undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool named "${name}"`);
  if (tool.requiresTask === true) requireTasks(exchange);
  const waitMs = exchange.takesTasks ? TASK_AFTER_MS : undefined;
  return answerWithRun(call, async (noteRun) => ({
    type: tool.workflowType,
    data: await tool.call(args, { ...exchange.context, idempotencyKey, waitMs, noteRun }),
  }));
}

/** Answers the approvals that a client's user was asked about, and waits for the run again. */
function goOnWith(call: Call, { tool, ...run }: CallState): Promise<ToolAnswer> {
  const { ports, exchange, name } = call;
  if (tool !== name)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The state is that of a call of "${tool}"`);
  const responses = exchange.mcp.mcpReq.inputResponses ?? {};
  return answerWithRun(call, async (noteRun) => {
    noteRun(run);
    await answerInCall(call, run, responses);
    return waitForData(ports, run, exchange, new Set(Object.keys(responses)));
  });
}

/** Answers approvals. An answer that is not possible is asked for again, because the client has no other way to the run. */
async function answerInCall(
  { ports, exchange }: Call,
  run: Run,
  responses: Readonly<Record<string, unknown>>,
): Promise<void> {
  try {
    await answerApprovals(ports, run, responses, exchange);
  } catch (error) {
    if (!isHoldfastError(error) || error.code !== 'VALIDATION') throw error;
    const approvals = await readPendingApprovals(ports.engine, ports.shown.taskQueue, run.workflowId);
    throw new HoldfastError('RUN_PAUSED', textOf(error), { details: { approvals, problem: textOf(error) } });
  }
}

/** @param getData starts or joins the run, and waits for it */
async function answerWithRun(
  call: Call,
  getData: (noteRun: (run: StartedRun) => void) => Promise<RunData>,
): Promise<ToolAnswer> {
  const { ports, exchange, idempotencyKey, shown } = call;
  const cancellation = cancelWithCall(ports, exchange, idempotencyKey);
  const progress = reportProgress(ports.feeds, exchange.mcp);
  const seen: { run?: StartedRun } = {};
  let isOver = true;
  const noteRun = (started: StartedRun): void => {
    seen.run = started;
    exchange.context.noteRun(started);
    cancellation.setRun(started);
    progress.follow(started);
  };
  try {
    const { type, data: whole } = await getData(noteRun);
    const isLinked = seen.run !== undefined && shown.linksRuns && !shown.hasOutputSchema;
    const data = await readLargeData(whole, exchange.context.admit, isLinked);
    await progress.end();
    return toCallResult(type, data, seen.run, shown);
  } catch (error) {
    const { run } = seen;
    if (run !== undefined && isUnfinished(error)) {
      const answer = await answerUnfinished(call, run, error);
      // The package asks a client with a session within this same call, which the client may give up meanwhile.
      isOver = exchange.era === 'modern' || !isInputRequiredResult(answer);
      return answer;
    }
    if (!isToolFailure(error)) throw error;
    // A run that could not be answered is still open, and has no last event.
    if (run !== undefined && error.code !== 'VALIDATION') await progress.end();
    return toFailedResult(exchange.context.redactor.error(error), run);
  } finally {
    if (isOver) cancellation.release();
    progress.stop();
  }
}

async function answerUnfinished(
  { ports, exchange, name, shown }: Call,
  run: StartedRun,
  error: HoldfastError,
): Promise<ToolAnswer> {
  const { takesTasks, elicits, context } = exchange;
  if (takesTasks) return { content: [], resultType: 'task', ...(await createTask(ports, run, exchange)) };
  const paused = context.redactor.error(error);
  const { approvals = [], problem } = (paused.details ?? {}) as PauseDetails;
  if (!elicits || approvals.length === 0) return toUnfinishedResult(run, paused, shown);
  const { workflowId, runId } = run;
  return inputRequired({
    inputRequests: Object.fromEntries(approvals.map((approval) => [approval.id, toForm(approval, problem)])),
    requestState: createCallStates(ports.secrets).seal({ workflowId, runId, tool: name }, context.caller),
  });
}

function readKey({ mcp, context }: Exchange): string | undefined {
  const key = mcp.mcpReq._meta?.[IDEMPOTENCY_META];
  return key === undefined
    ? undefined
    : bindIdempotencyKey(`_meta["${IDEMPOTENCY_META}"]`, key, context.keyPrefix);
}

function isUnfinished(error: unknown): error is HoldfastError {
  return isHoldfastError(error) && (error.code === 'RUN_STILL_GOING' || error.code === 'RUN_PAUSED');
}

interface CallCancellation {
  /** Sets the run of the call. */
  setRun(run: StartedRun): void;
  /** Ends the connection of call and run. */
  release(): void;
}

/**
 * Cancels the run of a call when its client gives up the call. Clients without sessions do that by closing the connection,
 * those with sessions by a message, so that the run of a session whose connection broke continues. The run of a call with an
 * idempotency key continues too, because the key is there to join it again, and others may have joined it.
 */
function cancelWithCall(
  { engine, shown, isStopping }: Pick<McpPorts, 'engine' | 'shown' | 'isStopping'>,
  { mcp, context, era }: Exchange,
  idempotencyKey: string | undefined,
): CallCancellation {
  const { signal } = mcp.mcpReq;
  let run: StartedRun | undefined;

  function cancel(): void {
    if (run === undefined || isStopping()) return;
    const survives = era === 'legacy' || idempotencyKey !== undefined;
    if (survives && isConnectionEnd(signal.reason)) return;
    const { runId: traceId, workflowId } = run;
    const reason = 'the MCP client gave up the call';
    stopRun(
      engine,
      { ...shown, owner: context.owner, admit: context.admit },
      { traceId, workflowId },
      { how: 'cancel', reason },
    ).catch((error: unknown) => {
      context.logger.warn({ traceId, reason: messageOf(error) }, 'a run could not be cancelled');
    });
  }

  signal.addEventListener('abort', cancel, { once: true });
  return {
    setRun(started) {
      run = started;
      if (signal.aborted) cancel();
    },
    release: () => signal.removeEventListener('abort', cancel),
  };
}

function isConnectionEnd(reason: unknown): boolean {
  return reason instanceof SdkError && reason.code === SdkErrorCode.ConnectionClosed;
}

interface ProgressReport {
  /** Reports the events of a run from now on, if the client asked for that. */
  follow(run: StartedRun): void;
  /** Waits until all events of a run that has ended are sent. */
  end(): Promise<void>;
  stop(): void;
}

/** Reports the events of the run of a request as its progress. It costs nothing if the client sent no token. */
function reportProgress(feeds: RunFeeds, { mcpReq }: ServerContext): ProgressReport {
  const progressToken = mcpReq._meta?.progressToken;
  const stopping = new AbortController();
  const signal = AbortSignal.any([stopping.signal, mcpReq.signal]);
  let reporting: Promise<void> | undefined;

  async function report(run: StartedRun): Promise<void> {
    for await (const item of feeds.follow(run, { after: 0, silenceMs: SILENCE_MS, signal })) {
      // Signs of life have no sequence, and progress must increase.
      if (item === undefined || !('sequence' in item)) continue;
      const message = item.summary ?? item.step?.name ?? item.type;
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress: item.sequence, message, _meta: metaOfRun(run) },
      });
    }
  }

  return {
    follow(run) {
      if (progressToken === undefined) return;
      // A report that breaks off takes nothing from the result.
      reporting ??= report(run).catch(() => undefined);
    },
    end: async () => reporting,
    stop: () => stopping.abort(),
  };
}
