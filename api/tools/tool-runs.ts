import { createHash } from 'node:crypto';
import { ulid } from 'ulid';
import type { Config } from '../../src/config';
import { shorten } from '../../src/contracts/json';
import { redact } from '../../src/contracts/redact';
import type {
  ExecuteToolInput,
  ExecuteToolsInput,
  MultipleToolsResult,
  SingleToolResult,
  ToolCall,
  ToolLimits,
} from '../../src/contracts/runs';
import type { RunClient, RunRequest } from '../../temporal/run-client';
import type { RequestContext } from '../http/route';

/** The server refuses a summary of more than 400 bytes. */
const SUMMARY_LENGTH = 120;

/** Starts the workflows of the tools area and waits for them. All methods throw what `RunClient.execute` throws. */
export interface ToolRuns {
  single(call: ToolCall, timeoutMs: number | undefined, context: RequestContext): Promise<SingleToolResult>;
  parallel(
    calls: ToolCall[],
    timeoutMs: number | undefined,
    context: RequestContext,
  ): Promise<MultipleToolsResult>;
  sequence(
    calls: ToolCall[],
    timeoutMs: number | undefined,
    context: RequestContext,
  ): Promise<MultipleToolsResult>;
}

type ToolRunsConfig = Pick<Config, 'TOOL_TIMEOUT_MS' | 'TOOL_MAX_ATTEMPTS' | 'RUN_TIMEOUT_MS'>;

export function createToolRuns(runs: RunClient, config: ToolRunsConfig): ToolRuns {
  function limits(timeoutMs: number | undefined): ToolLimits {
    const maxAttempts = config.TOOL_MAX_ATTEMPTS;
    return timeoutMs === undefined
      ? { timeoutMs: config.TOOL_TIMEOUT_MS, source: 'TOOL_TIMEOUT_MS', maxAttempts }
      : { timeoutMs, source: 'options.timeout', maxAttempts };
  }

  function execute<R>(
    workflowType: string,
    prefix: string,
    input: ExecuteToolInput | ExecuteToolsInput,
    context: RequestContext,
  ): Promise<R> {
    const calls = 'call' in input ? [input.call] : input.calls;
    const request: RunRequest = {
      workflowType,
      ...identify(prefix, calls, input.limits, context.idempotencyKey),
      input,
      subject: { area: 'tools', tools: calls.map(({ toolName }) => toolName) },
      summary: summarise(calls),
      runTimeoutMs: config.RUN_TIMEOUT_MS,
    };
    return runs.execute<R>(request, (run) => context.noteRun(run));
  }

  return {
    single: (call, timeoutMs, context) =>
      execute('executeTool', `execute-tool/${call.toolName}`, { call, limits: limits(timeoutMs) }, context),
    parallel: (calls, timeoutMs, context) =>
      execute(
        'executeToolsInParallel',
        'execute-tools/parallel',
        { calls, limits: limits(timeoutMs) },
        context,
      ),
    sequence: (calls, timeoutMs, context) =>
      execute(
        'executeToolsInSequence',
        'execute-tools/sequence',
        { calls, limits: limits(timeoutMs) },
        context,
      ),
  };
}

/**
 * With an idempotency key the key is the id, so that a repeat finds the run of the first request. What the tools
 * are made of is no part of the request, so a registration in between changes nothing.
 */
function identify(
  prefix: string,
  calls: readonly ToolCall[],
  { timeoutMs }: ToolLimits,
  key: string | undefined,
): Pick<RunRequest, 'workflowId' | 'digest'> {
  if (key === undefined) return { workflowId: `${prefix}/${ulid()}` };
  const request = JSON.stringify([timeoutMs, calls.map(({ toolName, args }) => [toolName, args])]);
  return { workflowId: `${prefix}/key-${key}`, digest: createHash('sha256').update(request).digest('hex') };
}

function summarise(calls: readonly ToolCall[]): string {
  const [only] = calls;
  if (calls.length === 1 && only !== undefined) {
    return shorten(`${only.toolName} ${JSON.stringify(redact(only.args))}`, SUMMARY_LENGTH);
  }
  return shorten(
    `${calls.length} tools: ${calls.map(({ toolName }) => toolName).join(', ')}`,
    SUMMARY_LENGTH,
  );
}
