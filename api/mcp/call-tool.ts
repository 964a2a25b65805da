import {
  type CallToolRequestParams,
  type CallToolResult,
  inputRequired,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import type { StartedRun } from '../../temporal/started-run';
import { type HoldfastError, isHoldfastError } from '../../src/base/errors';
import type { Approval } from '../../src/contracts/http/approvals';
import { bindIdempotencyKey } from '../http/idempotency-key';
import { answerApprovals } from './answer-approvals';
import { toForm } from './approval-input';
import { toCallResult, toFailedResult, toUnfinishedResult } from './call-results';
import { cancelWithCall } from './cancel-with-call';
import type { Exchange } from './exchange';
import { findTool } from './find-tool';
import type { McpPorts } from './mcp-ports';
import { reportProgress } from './progress';
import { isToolFailure } from './protocol-errors';
import { createTaskIds, type Run } from './task-ids';
import { createTask, requireTasks } from './tasks';
import { type RunData, waitForData } from './wait-for-data';

export type ToolAnswer = CallToolResult | InputRequiredResult;

/** The metadata with the idempotency key of a call. */
const IDEMPOTENCY_KEY = 'holdfast/idempotencyKey';
/** How long the call of a client that takes tasks waits for its result before it becomes one, milliseconds. */
const TASK_AFTER_MS = 500;

/**
 * Calls a tool. The answer is its result; a task, where the client takes tasks and the run is not over soon; or a form, where
 * the run waits for a person whom the client can ask. The run of a call that its client gives up is cancelled.
 * @throws ProtocolError, or HoldfastError for an error that is not one of the tool
 */
export async function callTool(
  ports: McpPorts,
  { name, arguments: args = {} }: CallToolRequestParams,
  exchange: Exchange,
): Promise<ToolAnswer> {
  const tool = await findTool(ports, name, exchange.context);
  const hasOutputSchema = tool?.definition.outputSchema !== undefined;
  const answer = await tool?.answer?.(args, exchange.mcp);
  if (answer !== undefined) return answer;
  const asked = exchange.mcp.mcpReq.requestState<Run>();
  // The run goes on also where its tool was removed meanwhile.
  if (asked !== undefined) return goOnWith(ports, asked, exchange, hasOutputSchema);
  if (tool === undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool named "${name}"`);
  if (tool.requiresTask === true) requireTasks(exchange);
  const idempotencyKey = readKey(exchange);
  const waitMs = exchange.takesTasks ? TASK_AFTER_MS : undefined;
  return answerWithRun(ports, exchange, hasOutputSchema, async (noteRun) => ({
    type: tool.workflowType,
    data: await tool.call(args, { ...exchange.context, idempotencyKey, waitMs, noteRun }),
  }));
}

/** Answers the approvals that a client's user was asked about, and waits for the run again. */
function goOnWith(
  ports: McpPorts,
  run: Run,
  exchange: Exchange,
  hasOutputSchema: boolean,
): Promise<ToolAnswer> {
  const responses = exchange.mcp.mcpReq.inputResponses ?? {};
  return answerWithRun(ports, exchange, hasOutputSchema, async (noteRun) => {
    noteRun(run);
    await answerApprovals(ports, run, responses, exchange);
    return waitForData(ports, run, exchange, new Set(Object.keys(responses)));
  });
}

/** @param getData starts or joins the run, and waits for it */
async function answerWithRun(
  ports: McpPorts,
  exchange: Exchange,
  hasOutputSchema: boolean,
  getData: (noteRun: (run: StartedRun) => void) => Promise<RunData>,
): Promise<ToolAnswer> {
  const cancellation = cancelWithCall(ports, exchange);
  const progress = reportProgress(ports.feeds, exchange.mcp);
  const seen: { run?: StartedRun } = {};
  const noteRun = (started: StartedRun): void => {
    seen.run = started;
    exchange.context.noteRun(started);
    cancellation.setRun(started);
    progress.follow(started);
  };
  try {
    const { type, data } = await getData(noteRun);
    await progress.end();
    return toCallResult(type, data, seen.run, hasOutputSchema);
  } catch (error) {
    const { run } = seen;
    if (run !== undefined && isUnfinished(error)) return await answerUnfinished(ports, run, error, exchange);
    if (!isToolFailure(error)) throw error;
    // A run that could not be answered is still open, and has no last event.
    if (run !== undefined && error.code !== 'VALIDATION') await progress.end();
    return toFailedResult(error, run);
  } finally {
    cancellation.release();
    progress.stop();
  }
}

async function answerUnfinished(
  ports: McpPorts,
  run: StartedRun,
  error: HoldfastError,
  exchange: Exchange,
): Promise<ToolAnswer> {
  const { takesTasks, elicits, context } = exchange;
  if (takesTasks) return { content: [], resultType: 'task', ...(await createTask(ports, run, exchange)) };
  const approvals = (error.details?.['approvals'] ?? []) as readonly Approval[];
  if (!elicits || approvals.length === 0) return toUnfinishedResult(run, error);
  return inputRequired({
    inputRequests: Object.fromEntries(approvals.map((approval) => [approval.id, toForm(approval)])),
    requestState: createTaskIds(ports.secrets, 'state').seal(run, context.caller),
  });
}

function readKey({ mcp, context }: Exchange): string | undefined {
  const key = mcp.mcpReq._meta?.[IDEMPOTENCY_KEY];
  return key === undefined
    ? undefined
    : bindIdempotencyKey(`_meta["${IDEMPOTENCY_KEY}"]`, key, context.keyPrefix);
}

function isUnfinished(error: unknown): error is HoldfastError {
  return isHoldfastError(error) && (error.code === 'RUN_STILL_GOING' || error.code === 'RUN_PAUSED');
}
