import {
  type McpServer,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { readPendingApprovals } from '../../../temporal/approvals/pending-approvals';
import { findRun } from '../../../temporal/runs/run-lookup';
import { hasEnded } from '../../../temporal/runs/run-wait';
import { stopRun } from '../../../temporal/runs/stop-run';
import { answerApprovals } from './answer-approvals';
import { type Exchange, type Handle, TASKS_EXTENSION } from './exchange';
import { findTool } from './find-tool';
import { readLargeData } from './call-results';
import type { McpPorts } from './mcp-ports';
import { createTaskIds, type Run } from './task-ids';
import { toEndedTask, toOpenTask, type Task } from './task-states';

const taskParams = z.looseObject({ taskId: z.string() });

/** Adds the methods of the extension for tasks to a server. A task is a run. */
export function addTasks(server: McpServer['server'], ports: McpPorts, handle: Handle): void {
  const { engine, shown } = ports;
  const ids = createTaskIds(ports.secrets);

  function openTask(taskId: string, exchange: Exchange): Run {
    requireTasks(exchange);
    const run = ids.open(taskId, exchange.context.caller);
    if (run === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such task');
    return run;
  }

  server.setRequestHandler('tasks/get', { params: taskParams }, ({ taskId }, context) =>
    handle(context, (exchange) => readTask(ports, taskId, openTask(taskId, exchange), exchange)),
  );
  server.setRequestHandler('tasks/cancel', { params: taskParams }, ({ taskId }, context) =>
    handle(context, async (exchange) => {
      const { runId: traceId, workflowId } = openTask(taskId, exchange);
      const { owner, admit } = exchange.context;
      const scope = { ...shown, owner, admit };
      const reason = 'the MCP client cancelled the task';
      await stopRun(engine, scope, { traceId, workflowId }, { how: 'cancel', reason });
      return {};
    }),
  );
  server.setRequestHandler('tasks/update', { params: taskParams }, ({ taskId }, context) =>
    handle(context, async (exchange) => {
      const run = openTask(taskId, exchange);
      await answerApprovals(ports, run, context.mcpReq.inputResponses ?? {}, exchange);
      return {};
    }),
  );
}

/** @throws MissingRequiredClientCapabilityError for a client that did not declare the extension */
export function requireTasks({ takesTasks }: Exchange): void {
  if (takesTasks) return;
  const extensions = { [TASKS_EXTENSION]: {} };
  throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions } });
}

/** Reads the task of a run. @throws HoldfastError as `findRun` does */
async function readTask(ports: McpPorts, taskId: string, run: Run, exchange: Exchange): Promise<Task> {
  const { engine, shown } = ports;
  const { runId: traceId, workflowId } = run;
  const { owner, admit, redactor } = exchange.context;
  const scope = { ...shown, owner, admit };
  const current = await findRun(engine, scope, { traceId, workflowId });
  if (hasEnded(current)) {
    const linksRuns = ports.offered.has('resources');
    // The result of one tool has its name, and is not longer than MAX_RESULT_BYTES.
    const isLinked = linksRuns && current.type !== 'executeTool';
    const record = { ...current, result: await readLargeData(current.result, admit, isLinked) };
    const { toolName } = (record.result ?? {}) as { readonly toolName?: unknown };
    const tool =
      record.type === 'executeTool' && typeof toolName === 'string'
        ? await findTool(ports, toolName, exchange.context)
        : undefined;
    const error = redactor.value(record.error);
    // The result is the caller's own, as the answer to its call would have been.
    const shownRecord = error === undefined ? record : { ...record, error };
    return toEndedTask(taskId, shownRecord, engine.current().retentionMs, {
      hasOutputSchema: tool?.definition.outputSchema !== undefined,
      linksRuns,
    });
  }
  const approvals = await readPendingApprovals(engine, shown.taskQueue, workflowId);
  return toOpenTask(taskId, current, redactor.value(approvals));
}

/** Builds the task in which a call results whose run is not over. @throws HoldfastError as `findRun` does */
export async function createTask(ports: McpPorts, run: Run, exchange: Exchange): Promise<Task> {
  const { engine, shown } = ports;
  const taskId = createTaskIds(ports.secrets).seal(run, exchange.context.caller);
  const { owner, admit } = exchange.context;
  const scope = { ...shown, owner, admit };
  const record = await findRun(engine, scope, { traceId: run.runId, workflowId: run.workflowId });
  // The client asks for the rest, such as what the run waits for.
  return toOpenTask(taskId, record, []);
}
