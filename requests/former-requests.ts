import { BUDGET_LIMITS } from '../src/contracts/http/budgets';
import type { AgentTurnInput } from '../src/contracts/runs/agent';
import type { ApprovalPolicy } from '../src/contracts/runs/approvals';
import type { BudgetPolicy } from '../src/contracts/runs/budgets';
import type { ToolLimits } from '../src/contracts/runs/tools';
import type {
  ExecuteToolFromQueryInput,
  ModelChoice,
  PlannerLoopInput,
} from '../src/contracts/runs/workflows';
import type { ProviderName } from '../src/contracts/http/llm';
import { DEFAULT_DETAIL_LEVEL } from '../src/contracts/http/agent';
import type { TurnFile } from '../src/contracts/http/files';
import type { Config } from '../src/settings/config';
import type { AgentRequest } from './agent-requests';
import type { ShapedRequest } from './shaped-request';
import type { AllowedTargetSettings } from './allowed-targets';
import type { QueryRequest } from './planner-runs';
import type { ApprovalOption, BudgetOption } from './run-options';

/** By what the request of a run is built again from the input of the run, so that the settings of today bound it. */
export interface FormerRequestPorts {
  readonly settings: AllowedTargetSettings &
    Pick<Config, 'TOOL_TIMEOUT_MS' | 'TOOL_MAX_ATTEMPTS' | 'PLANNER_MAX_ITERATIONS'>;
  /** As in `ModelProviders`. */
  readonly defaultProvider: ProviderName | undefined;
}

/** The time limit that the request of a run named, milliseconds; undefined if the settings said it. Pure. */
export function formerTimeout(
  limits: readonly ToolLimits[],
  { TOOL_TIMEOUT_MS }: Pick<Config, 'TOOL_TIMEOUT_MS'>,
): number | undefined {
  const askedLimits = limits.find(
    ({ source }) => source === 'options.timeout' || source === 'options.toolTimeout',
  );
  return askedLimits && Math.min(askedLimits.timeoutMs, TOOL_TIMEOUT_MS);
}

/** The approvals that the request of a run named. Pure. */
export function formerApproval(policy: ApprovalPolicy | undefined): ApprovalOption {
  if (policy === undefined || policy.tools.length === 0) return undefined;
  const { tools, deadlineMs, onDeadline, onDenied } = policy;
  return { tools: typeof tools === 'string' ? tools : [...tools], deadlineMs, onDeadline, onDenied };
}

/** The request of a run that plans. Pure. */
export function formerQuery(
  input: PlannerLoopInput | ExecuteToolFromQueryInput,
  ports: FormerRequestPorts,
): QueryRequest {
  const { query, choice, toolLimits, approval, budget } = input;
  const { settings } = ports;
  return {
    query,
    options: {
      ...formerModel(choice, ports),
      timeout: formerTimeout([toolLimits], settings),
      approval: formerApproval(approval),
      budget: formerBudget(budget),
      ...('maxIterations' in input && {
        maxIterations: Math.min(input.maxIterations, settings.PLANNER_MAX_ITERATIONS),
        allow: formerTargets(input.allow, settings),
      }),
    },
  };
}

/**
 * The request of a turn of the agent: with what a named agent made of it then, whatever that agent is now. Pure.
 * @param files as the turn had them
 */
export function formerTurn(
  input: AgentTurnInput,
  ports: FormerRequestPorts,
  files?: readonly TurnFile[],
): ShapedRequest {
  const { query, userId, sessionId, recall, classification, toolLimits, choice } = input;
  const { settings } = ports;
  const { includeReasoning = false, hintIntent, previousIntents } = classification;
  const model = formerModel(choice, ports);
  return {
    query,
    agent: input.agent,
    remember: input.remember,
    mustCall: input.mustCall,
    earlier: input.earlier,
    agents: input.agents?.map(({ id }) => id),
    narrowing: input.narrowing,
    files,
    options: {
      userId,
      sessionId,
      includeMemoryContext: recall !== undefined,
      maxMemoryResults: recall?.limit ?? 1,
      memoryThreshold: recall?.threshold,
      memorySearchTerms: [...(recall?.terms ?? [])],
      crossSessionMemory: recall?.crossSession ?? true,
      ...model,
      temperature: input.hasUsualTemperature === true ? undefined : model.temperature,
      instructions: input.instructions,
      tools: input.tools && [...input.tools],
      callerTools: input.callerTools && [...input.callerTools],
      responseSchema: input.responseSchema,
      maxIterations: Math.min(input.maxIterations, settings.PLANNER_MAX_ITERATIONS),
      includeReasoning,
      previousIntents: previousIntents && [...previousIntents],
      hintIntent,
      toolTimeout: formerTimeout([toolLimits], settings),
      maxToolRetries: Math.min(toolLimits.maxAttempts, settings.TOOL_MAX_ATTEMPTS) - 1,
      allow: formerTargets(input.allow, settings),
      approval: formerApproval(input.approval),
      budget: formerBudget(input.budget),
      responseDetailLevel: input.responseDetailLevel ?? DEFAULT_DETAIL_LEVEL,
      excludeVectors: recall && !recall.withVectors,
    },
  };
}

/** The options of a model: its name is one of the default provider, and another provider has its default model alone. Pure. */
export function formerModel(
  { provider, model, temperature, maxTokens, topP }: ModelChoice,
  { defaultProvider }: Pick<FormerRequestPorts, 'defaultProvider'>,
) {
  const isAbsent = provider === 'builtin' && defaultProvider === undefined;
  const name = provider === defaultProvider ? model : provider;
  return { model: isAbsent ? undefined : name, temperature, maxTokens, topP };
}

/** Leaves out the limits of the settings, which may be others by now. */
function formerBudget(budget: BudgetPolicy | undefined): BudgetOption {
  if (budget === undefined) return undefined;
  const { limits, ceilings = {}, onExceeded } = budget;
  const askedLimits = BUDGET_LIMITS.filter((limit) => limits[limit] !== ceilings[limit]);
  return { ...Object.fromEntries(askedLimits.map((limit) => [limit, limits[limit]])), onExceeded };
}

/** The targets that the request of a run allowed. Pure. */
export function formerTargets(
  allow: PlannerLoopInput['allow'],
  { PLANNER_ALLOW_HOSTS, PLANNER_ALLOW_FILES }: AllowedTargetSettings,
): AgentRequest['options']['allow'] {
  if (allow === undefined) return undefined;
  return {
    hosts: allow.hosts.filter((host) => !PLANNER_ALLOW_HOSTS.includes(host)),
    files: allow.files.filter((file) => !PLANNER_ALLOW_FILES.includes(file)),
    ...(allow.tools && { tools: [...allow.tools] }),
  };
}
