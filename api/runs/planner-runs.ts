import type { Config } from '../../src/settings/config';
import { summariseText } from '../../src/contracts/runs/summaries';
import type { GenerationOptions, ToolDescription } from '../../src/contracts/http/llm';
import type { ApprovalPolicy } from '../../src/contracts/runs/approvals';
import type {
  ExecuteToolFromQueryInput,
  ModelChoice,
  PlannerLoopInput,
  PlannerLoopResult,
  ToolFromQueryResult,
} from '../../src/contracts/runs/workflows';
import type { ApprovalOption, ApprovalSettings } from './approval-option';
import { buildPolicy } from './approval-option';
import { unknownTool } from './prepare-calls';
import type { ToolRegistry } from '../../src/tools/registry';
import type { RunClient } from '../../temporal/run-client';
import type { AllowOption } from '../http/allow-option';
import type { RequestContext } from '../http/route';
import type { AllowedTargetSettings } from './allowed-targets';
import { mergeAllowedTargets } from './allowed-targets';
import type { RunLimitSettings } from './run-limits';
import { modelLimits, runTimeout, toolLimits } from './run-limits';
import { startRun } from './start-runs';

export interface QueryOptions extends GenerationOptions {
  readonly maxIterations?: number | undefined;
  /** Limit of each tool call, milliseconds. */
  readonly timeout?: number | undefined;
  /**
   * Targets that the planner's calls may have besides those that the query names; no effect where the caller names the
   * tool.
   */
  readonly allow?: AllowOption;
  readonly approval?: ApprovalOption;
}

export interface QueryRequest {
  readonly query: string;
  readonly options?: QueryOptions | undefined;
}

/** Starts the workflows that begin with a query in words, and waits for them. All methods throw as `startRun` does. */
export interface PlannerRuns {
  /** @throws HoldfastError `TOOL_NOT_FOUND`, or as `startRun` does */
  toolFromQuery(
    request: QueryRequest & { readonly toolName: string },
    context: RequestContext,
  ): Promise<ToolFromQueryResult>;
  mcp(request: QueryRequest, context: RequestContext): Promise<PlannerLoopResult>;
  workflow(request: QueryRequest, context: RequestContext): Promise<PlannerLoopResult>;
}

export interface PlannerRunsPorts {
  readonly client: RunClient;
  readonly registry: Pick<ToolRegistry, 'get' | 'list'>;
  /** Whether the server has the search attribute by which a run that waits is listed. */
  readonly listsWaiting: () => boolean;
  chooseModel(options: GenerationOptions): ModelChoice;
  readonly settings: RunLimitSettings &
    AllowedTargetSettings &
    ApprovalSettings &
    Pick<Config, 'PLANNER_MAX_ITERATIONS' | 'PLANNER_MAX_REPLANS'>;
}

export function createPlannerRuns(ports: PlannerRunsPorts): PlannerRuns {
  const { client, registry, settings, listsWaiting } = ports;
  /** The policy of a run whose planner may choose any of these tools; empty where none can need an approval. */
  const policyFor = async (
    { options }: QueryRequest,
    readTools: () => Promise<readonly Pick<ToolDescription, 'requiresApproval'>[]>,
  ): Promise<{ readonly approval?: ApprovalPolicy }> => {
    const option = options?.approval;
    const mayPause =
      option !== undefined || (await readTools()).some(({ requiresApproval }) => requiresApproval === true);
    return mayPause ? { approval: buildPolicy(settings, option, listsWaiting()) } : {};
  };
  const loopStarter =
    (workflowType: 'mcpExecution' | 'queryWorkflow', prefix: string, area: 'tools' | 'workflow') =>
    (request: QueryRequest, context: RequestContext): Promise<PlannerLoopResult> =>
      startRun<PlannerLoopResult>(
        client,
        {
          prefix,
          asked: request,
          prepare: async () => {
            const approval = await policyFor(request, () => registry.list());
            const input = { ...buildLoopInput(ports, request), ...approval };
            const iterationMs = input.toolLimits.timeoutMs + input.modelLimits.timeoutMs;
            const limitMs = runTimeout(settings, (input.maxIterations + 1) * iterationMs);
            return {
              workflowType,
              input,
              subject: { area },
              summary: summariseText(request.query),
              runTimeoutMs: 'approval' in approval ? undefined : limitMs,
            };
          },
        },
        context,
      );

  return {
    toolFromQuery: (request, context) =>
      startRun<ToolFromQueryResult>(
        client,
        {
          prefix: 'execute-with-llm',
          asked: request,
          prepare: async () => {
            const { query, toolName, options = {} } = request;
            const tool = await registry.get(toolName);
            if (tool === undefined) throw unknownTool(toolName);
            const approval = await policyFor(request, () => Promise.resolve([tool]));
            const input: ExecuteToolFromQueryInput = {
              query,
              tool,
              choice: ports.chooseModel(options),
              toolLimits: toolLimits(settings, options.timeout),
              modelLimits: modelLimits(settings),
              ...approval,
            };
            const limitMs = input.toolLimits.timeoutMs + input.modelLimits.timeoutMs;
            return {
              workflowType: 'executeToolFromQuery',
              label: toolName,
              input,
              subject: { area: 'tools', tools: [toolName] },
              summary: summariseText(`${toolName}: ${query}`),
              runTimeoutMs: 'approval' in approval ? undefined : runTimeout(settings, limitMs),
            };
          },
        },
        context,
      ),
    mcp: loopStarter('mcpExecution', 'mcp', 'tools'),
    workflow: loopStarter('queryWorkflow', 'query-workflow', 'workflow'),
  };
}

function buildLoopInput(
  { settings, chooseModel }: PlannerRunsPorts,
  { query, options = {} }: QueryRequest,
): PlannerLoopInput {
  return {
    query,
    choice: chooseModel(options),
    maxIterations: options.maxIterations ?? settings.PLANNER_MAX_ITERATIONS,
    maxReplans: settings.PLANNER_MAX_REPLANS,
    toolLimits: toolLimits(settings, options.timeout),
    modelLimits: modelLimits(settings),
    allow: mergeAllowedTargets(settings, options.allow),
  };
}
