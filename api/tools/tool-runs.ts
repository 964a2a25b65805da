import type { Config } from '../../src/config';
import type {
  ExecuteToolInput,
  ExecuteToolsInput,
  MultipleToolsResult,
  SingleToolResult,
  ToolCall,
  ToolLimits,
} from '../../src/contracts/runs';
import { summariseCalls } from '../../src/contracts/summaries';
import { newId } from '../../src/ids';
import type { RunClient, RunKey } from '../../temporal/run-client';
import type { RequestContext } from '../http/route';
import type { RequestedCall } from './prepare-calls';
import { digestOf } from './request-digest';

/** A request to run tools, before its tools were looked up. */
export interface ToolRunRequest {
  readonly calls: readonly RequestedCall[];
  readonly timeoutMs: number | undefined;
  /**
   * Looks the tools up and checks the arguments. Not called where the request repeats an earlier one: that one's
   * answer stands, whatever became of its tools.
   */
  prepare(): Promise<ToolCall[]>;
}

/**
 * Starts the workflows of the tools area and waits for them. All methods throw what `RunClient.execute` and the
 * request's `prepare` throw.
 */
export interface ToolRuns {
  /** The request has one call. */
  single(request: ToolRunRequest, context: RequestContext): Promise<SingleToolResult>;
  parallel(request: ToolRunRequest, context: RequestContext): Promise<MultipleToolsResult>;
  sequence(request: ToolRunRequest, context: RequestContext): Promise<MultipleToolsResult>;
}

/** A workflow of the tools area. */
interface Kind {
  readonly workflowType: string;
  /** Begins the workflow ids. */
  readonly prefix: string;
  /** Whether the tool's name is part of the id of a run without a key. */
  readonly named: boolean;
  input(calls: readonly ToolCall[], limits: ToolLimits): ExecuteToolInput | ExecuteToolsInput;
}

const SINGLE: Kind = {
  workflowType: 'executeTool',
  prefix: 'execute-tool',
  named: true,
  input(calls, limits) {
    const [call] = calls;
    if (call === undefined) throw new Error('There is no call to run');
    return { call, limits };
  },
};
const PARALLEL: Kind = {
  workflowType: 'executeToolsInParallel',
  prefix: 'execute-tools/parallel',
  named: false,
  input: (calls, limits) => ({ calls, limits }),
};
const SEQUENCE: Kind = {
  ...PARALLEL,
  workflowType: 'executeToolsInSequence',
  prefix: 'execute-tools/sequence',
};

/** For a run's own steps and its time in the queue, milliseconds. */
const RUN_MARGIN_MS = 60_000;

type ToolRunsConfig = Pick<Config, 'TOOL_TIMEOUT_MS' | 'TOOL_MAX_ATTEMPTS' | 'RUN_TIMEOUT_MS'>;

export function createToolRuns(runs: RunClient, config: ToolRunsConfig): ToolRuns {
  function limits(timeoutMs: number | undefined): ToolLimits {
    const maxAttempts = config.TOOL_MAX_ATTEMPTS;
    return timeoutMs === undefined
      ? { timeoutMs: config.TOOL_TIMEOUT_MS, source: 'TOOL_TIMEOUT_MS', maxAttempts }
      : { timeoutMs, source: 'options.timeout', maxAttempts };
  }

  /** Each call of a sequence has its whole limit, and the run has to outlast them all. */
  function runTimeout(calls: number, { timeoutMs }: ToolLimits): number {
    return Math.max(config.RUN_TIMEOUT_MS, calls * timeoutMs + RUN_MARGIN_MS);
  }

  async function execute<R>(kind: Kind, request: ToolRunRequest, context: RequestContext): Promise<R> {
    const key = keyOf(kind, request, context.idempotencyKey);
    const noteRun = context.noteRun.bind(context);
    const earlier = key === undefined ? undefined : await runs.join<R>(key, noteRun);
    if (earlier !== undefined) return earlier.result;
    const calls = await request.prepare();
    return runs.execute<R>(
      {
        workflowType: kind.workflowType,
        ...(key ?? { workflowId: newWorkflowId(kind, calls) }),
        input: kind.input(calls, limits(request.timeoutMs)),
        subject: { area: 'tools', tools: calls.map(({ toolName }) => toolName) },
        summary: summariseCalls(calls),
        runTimeoutMs: runTimeout(calls.length, limits(request.timeoutMs)),
        requestId: context.requestId,
      },
      noteRun,
    );
  }

  return {
    single: (request, context) => execute(SINGLE, request, context),
    parallel: (request, context) => execute(PARALLEL, request, context),
    sequence: (request, context) => execute(SEQUENCE, request, context),
  };
}

/** An idempotency key is the id, for each path of its own, so that a repeat finds the run of the first request. */
function keyOf(
  { prefix }: Kind,
  { calls, timeoutMs }: ToolRunRequest,
  key: string | undefined,
): RunKey | undefined {
  return key === undefined
    ? undefined
    : { workflowId: `${prefix}/key-${key}`, digest: digestOf(calls, timeoutMs) };
}

function newWorkflowId({ prefix, named }: Kind, [first]: readonly ToolCall[]): string {
  return named && first !== undefined ? `${prefix}/${first.toolName}/${newId()}` : `${prefix}/${newId()}`;
}
