import type {
  ExecuteToolInput,
  ExecuteToolsInput,
  MultipleToolsResult,
  SingleToolResult,
  ToolCall,
  ToolLimits,
} from '../../src/contracts/runs/tools';
import { summariseCalls } from '../../src/contracts/runs/summaries';
import type { RunClient } from '../../temporal/run-client';
import type { RequestContext } from '../http/route';
import type { RequestedCall } from '../runs/prepare-calls';
import type { RunLimitSettings } from '../runs/run-limits';
import { runTimeout, toolLimits } from '../runs/run-limits';
import { startRun } from '../runs/start-runs';

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
  input(calls: readonly ToolCall[], limits: ToolLimits): ExecuteToolInput | ExecuteToolsInput;
}

const SINGLE: Kind = {
  workflowType: 'executeTool',
  prefix: 'execute-tool',
  input(calls, limits) {
    const [call] = calls;
    if (call === undefined) throw new Error('There is no call to run');
    return { call, limits };
  },
};
const PARALLEL: Kind = {
  workflowType: 'executeToolsInParallel',
  prefix: 'execute-tools/parallel',
  input: (calls, limits) => ({ calls, limits }),
};
const SEQUENCE: Kind = {
  ...PARALLEL,
  workflowType: 'executeToolsInSequence',
  prefix: 'execute-tools/sequence',
};

export function createToolRuns(client: RunClient, config: RunLimitSettings): ToolRuns {
  function execute<R>(kind: Kind, request: ToolRunRequest, context: RequestContext): Promise<R> {
    const { calls, timeoutMs } = request;
    return startRun<R>(
      client,
      {
        prefix: kind.prefix,
        asked: [timeoutMs ?? null, calls.map(({ toolName, args }) => [toolName, args])],
        prepare: async () => {
          const prepared = await request.prepare();
          const limits = toolLimits(config, timeoutMs);
          const [first] = prepared;
          return {
            workflowType: kind.workflowType,
            ...(kind === SINGLE && first !== undefined ? { label: first.toolName } : {}),
            input: kind.input(prepared, limits),
            subject: { area: 'tools', tools: prepared.map(({ toolName }) => toolName) },
            summary: summariseCalls(prepared),
            // Each call of a sequence has its whole limit, and the run has to outlast them all.
            runTimeoutMs: runTimeout(config, prepared.length * limits.timeoutMs),
          };
        },
      },
      context,
    );
  }

  return {
    single: (request, context) => execute(SINGLE, request, context),
    parallel: (request, context) => execute(PARALLEL, request, context),
    sequence: (request, context) => execute(SEQUENCE, request, context),
  };
}
