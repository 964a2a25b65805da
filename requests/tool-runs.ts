import type {
  ExecuteToolInput,
  ExecuteToolsInput,
  MultipleToolsResult,
  SingleToolResult,
  ToolCall,
  ToolLimits,
} from '../src/contracts/runs/tools';
import { limitsOfCall } from '../src/contracts/runs/calls';
import { summariseCalls } from '../src/contracts/runs/summaries';
import type { ToolRegistry } from '../src/tools/registry';
import type { Starting } from './starting';
import type { ApprovalOption } from './run-options';
import { type ApprovalPolicies, checkApprovalTools } from './approval-policies';
import type { RequestedCall } from './prepare-calls';
import { type RunLimitSettings, runTimeout, toolLimits } from './run-limits';
import type { CallerRuns } from './caller-runs';
import { startRun } from './start-runs';

/** A request to run tools, before its tools are looked up. */
export interface ToolRunRequest {
  readonly calls: readonly RequestedCall[];
  readonly timeoutMs: number | undefined;
  readonly approval: ApprovalOption;
  /** As in `ExecuteToolsInput`. */
  readonly reused?: ExecuteToolsInput['reused'];
  /**
   * Looks up the tools and checks the arguments. It is not called if the request repeats an earlier one, whose
   * response stays the same even if its tools were changed since.
   */
  prepare(): Promise<ToolCall[]>;
}

/**
 * Starts the workflows of the tools area and waits for them. All methods throw as `RunClient.execute` and the request's
 * `prepare` do.
 */
export interface ToolRuns {
  /** @param request has exactly one call */
  single(request: ToolRunRequest, context: Starting): Promise<SingleToolResult>;
  parallel(request: ToolRunRequest, context: Starting): Promise<MultipleToolsResult>;
  sequence(request: ToolRunRequest, context: Starting): Promise<MultipleToolsResult>;
}

type RunRules = Pick<ExecuteToolsInput, 'limits' | 'approval' | 'reused'>;

/** A workflow of the tools area. */
interface ToolWorkflow {
  readonly workflowType: string;
  /** The beginning of the workflow ids. */
  readonly prefix: string;
  input(calls: readonly ToolCall[], rules: RunRules): ExecuteToolInput | ExecuteToolsInput;
}

const SINGLE: ToolWorkflow = {
  workflowType: 'executeTool',
  prefix: 'execute-tool',
  input(calls, rules) {
    const [call] = calls;
    if (call === undefined) throw new Error('There is no call to run');
    return { call, ...rules };
  },
};
const PARALLEL: ToolWorkflow = {
  workflowType: 'executeToolsInParallel',
  prefix: 'execute-tools/parallel',
  input: (calls, rules) => ({ calls, ...rules }),
};
const SEQUENCE: ToolWorkflow = {
  ...PARALLEL,
  workflowType: 'executeToolsInSequence',
  prefix: 'execute-tools/sequence',
};

export function createToolRuns(
  client: CallerRuns,
  config: RunLimitSettings,
  policies: ApprovalPolicies,
  registry: Pick<ToolRegistry, 'list'>,
): ToolRuns {
  function execute<R>(kind: ToolWorkflow, request: ToolRunRequest, context: Starting): Promise<R> {
    const { calls, timeoutMs, approval: option, reused } = request;
    return startRun<R>(
      client,
      {
        prefix: kind.prefix,
        asked: [
          timeoutMs ?? null,
          calls.map(({ toolName, args }) => [toolName, args]),
          // Keys that were used before there were approvals stay what they were.
          ...(option === undefined ? [] : [option]),
        ],
        prepare: async () => {
          const prepared = await request.prepare();
          await checkApprovalTools(registry, option);
          const limits = toolLimits(config, timeoutMs);
          const approval = policies.forCalls(option, prepared);
          const [first] = prepared;
          return {
            workflowType: kind.workflowType,
            ...(kind === SINGLE && first !== undefined ? { label: first.toolName } : {}),
            input: kind.input(prepared, { limits, approval, reused }),
            subject: { area: 'tools', tools: prepared.map(({ toolName }) => toolName) },
            summary: summariseCalls(prepared),
            // Each call of a sequence has the whole limit, so the run may take as long as all calls together.
            runTimeoutMs:
              approval === undefined ? runTimeout(config, sumOfLimits(prepared, limits)) : undefined,
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

/** How long calls may take one after another, milliseconds. */
function sumOfLimits(calls: readonly ToolCall[], limits: ToolLimits): number {
  return calls.reduce((sum, call) => sum + limitsOfCall(call, limits).timeoutMs, 0);
}
