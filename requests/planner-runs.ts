import { limitsOfCall } from '../src/contracts/runs/calls';
import { z } from 'zod';
import type { Config } from '../src/settings/config';
import { wholeTime } from '../src/contracts/runs/call-time';
import { summariseText } from '../src/contracts/runs/summaries';
import type { BudgetPolicy } from '../src/contracts/runs/budgets';
import type { GenerationOptions } from '../src/contracts/http/llm';
import type {
  ExecuteToolFromQueryInput,
  ModelChoice,
  PlannerLoopInput,
  PlannerLoopResult,
  ReusedPlans,
  ToolFromQueryResult,
} from '../src/contracts/runs/workflows';
import {
  type ApprovalOption,
  type BudgetOption,
  approvalOption,
  plannerApprovalOption,
  budgetOption,
  singlePlanBudgetOption,
  timeoutOption,
  webhookOption,
} from './run-options';
import { type ApprovalPolicies, checkApprovalTools } from './approval-policies';
import type { BudgetPolicies } from './budget-policies';
import { unknownTool } from './prepare-calls';
import type { ToolRegistry } from '../src/tools/registry';
import type { Starting } from './starting';
import { type AllowedTargetSettings, mergeAllowedTargets } from './allowed-targets';
import { modelLimits, type RunLimitSettings, runTimeout, toolLimits } from './run-limits';
import type { CallerRuns } from './caller-runs';
import { startRun } from './start-runs';
import { type AllowOption, modelOptions, maxIterationsOption, allowOption } from './request-options';
import { querySchema } from '../src/contracts/http/text-schema';

export interface QueryOptions extends GenerationOptions {
  readonly maxIterations?: number | undefined;
  /** Limit of each tool call, milliseconds. */
  readonly timeout?: number | undefined;
  /**
   * Targets that the planner's calls may have besides those that the query names; no effect if the caller names the
   * tool.
   */
  readonly allow?: AllowOption;
  readonly approval?: ApprovalOption;
  readonly budget?: BudgetOption;
}

export interface QueryRequest {
  readonly query: string;
  readonly options?: QueryOptions | undefined;
}

/** What a run that plans takes from another one. */
export interface PlannedRerun {
  /** Looks up the tools of the calls that are made. It is not called if the request repeats an earlier one. */
  prepareReused(options: { readonly mayPause: boolean }): Promise<ReusedPlans>;
}

/** Starts the workflows that begin with a query in words, and waits for them. All methods throw as `startRun` does. */
export interface PlannerRuns {
  /** @throws HoldfastError `TOOL_NOT_FOUND`, or as `startRun` does */
  toolFromQuery(
    request: QueryRequest & { readonly toolName: string },
    context: Starting,
  ): Promise<ToolFromQueryResult>;
  mcp(request: QueryRequest, context: Starting, rerun?: PlannedRerun): Promise<PlannerLoopResult>;
  workflow(request: QueryRequest, context: Starting, rerun?: PlannedRerun): Promise<PlannerLoopResult>;
}

export interface PlannerRunsPorts {
  readonly client: CallerRuns;
  readonly registry: Pick<ToolRegistry, 'get' | 'list'>;
  readonly policies: ApprovalPolicies;
  readonly budgets: BudgetPolicies;
  chooseModel(options: GenerationOptions): ModelChoice;
  readonly settings: RunLimitSettings &
    AllowedTargetSettings &
    Pick<Config, 'PLANNER_MAX_ITERATIONS' | 'PLANNER_MAX_REPLANS'>;
}

export function createPlannerRuns(ports: PlannerRunsPorts): PlannerRuns {
  const { client, registry, settings, policies, budgets } = ports;
  const loopStarter =
    (workflowType: 'mcpExecution' | 'queryWorkflow', prefix: string, area: 'tools' | 'workflow') =>
    (request: QueryRequest, context: Starting, rerun?: PlannedRerun): Promise<PlannerLoopResult> =>
      startRun<PlannerLoopResult>(
        client,
        {
          prefix,
          asked: request,
          prepare: async () => {
            const planned = buildLoopInput(ports, request);
            const { approval: option } = request.options ?? {};
            await checkApprovalTools(registry, option);
            const approval = await policies.forPlanner(option, () => registry.list(), planned.budget);
            const reused = await rerun?.prepareReused({ mayPause: approval !== undefined });
            const input: PlannerLoopInput = { ...planned, approval, reused };
            const iterationMs = input.toolLimits.timeoutMs + wholeTime(input.modelLimits);
            const limitMs = runTimeout(settings, (input.maxIterations + 1) * iterationMs);
            return {
              workflowType,
              input,
              subject: { area },
              summary: summariseText(request.query),
              runTimeoutMs: approval === undefined ? limitMs : undefined,
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
            await checkApprovalTools(registry, options.approval);
            const choice = ports.chooseModel(options);
            const budget = budgets.build(options.budget, choice);
            const approval = await policies.forPlanner(
              options.approval,
              () => Promise.resolve([tool]),
              budget,
            );
            const input: ExecuteToolFromQueryInput = {
              query,
              tool,
              choice,
              budget,
              toolLimits: toolLimits(settings, options.timeout),
              modelLimits: modelLimits(settings),
              approval,
            };
            const call = { toolName, args: {}, implementation: tool.implementation };
            const limitMs = limitsOfCall(call, input.toolLimits).timeoutMs + wholeTime(input.modelLimits);
            return {
              workflowType: 'executeToolFromQuery',
              label: toolName,
              input,
              subject: { area: 'tools', tools: [toolName] },
              summary: summariseText(`${toolName}: ${query}`),
              runTimeoutMs: approval === undefined ? runTimeout(settings, limitMs) : undefined,
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
  { settings, chooseModel, budgets }: PlannerRunsPorts,
  { query, options = {} }: QueryRequest,
): PlannerLoopInput & { readonly budget: BudgetPolicy } {
  const choice = chooseModel(options);
  return {
    query,
    choice,
    budget: budgets.build(options.budget, choice),
    maxIterations: options.maxIterations ?? settings.PLANNER_MAX_ITERATIONS,
    maxReplans: settings.PLANNER_MAX_REPLANS,
    toolLimits: toolLimits(settings, options.timeout),
    modelLimits: modelLimits(settings),
    allow: mergeAllowedTargets(settings, options.allow),
  };
}

/** Builds the envelope's message for a planner loop, which says so if the loop was stopped with work left. */
export function plannerMessage(
  { success, iterations, errors }: Pick<PlannerLoopResult, 'success' | 'iterations' | 'errors'>,
  completed: string,
): string {
  if (success) return completed;
  const isStuck = errors.at(-1)?.code === 'PLANNER_STUCK';
  return `Stopped after ${iterations} iterations ${isStuck ? 'in which the planner went in a circle' : 'with work left'}`;
}

export type QueryRequestLimits = Pick<Config, 'TOOL_TIMEOUT_MS' | 'PLANNER_MAX_ITERATIONS'>;

/** Builds the schemas of requests with a query in words. */
export function queryRequestSchemas(limits: QueryRequestLimits) {
  const options = z.strictObject({
    ...modelOptions,
    timeout: timeoutOption(limits),
    approval: approvalOption,
    budget: singlePlanBudgetOption,
    webhook: webhookOption,
  });
  const maxIterations = maxIterationsOption(limits);
  const toolName = z.string().min(1, 'must not be empty').max(64, 'must have at most 64 characters');
  return {
    withTool: z.strictObject({ query: querySchema, toolName, options: options.optional() }),
    planned: z.strictObject({
      query: querySchema,
      options: options
        .extend({ maxIterations, allow: allowOption, approval: plannerApprovalOption, budget: budgetOption })
        .optional(),
    }),
  };
}
