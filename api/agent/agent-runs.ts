import type { AgentTurnInput, AgentTurnResult } from '../../src/contracts/runs/agent';
import type { GenerationOptions } from '../../src/contracts/http/llm';
import { summariseText } from '../../src/contracts/runs/summaries';
import type { ModelChoice } from '../../src/contracts/runs/workflows';
import type { Config } from '../../src/settings/config';
import type { ToolRegistry } from '../../src/tools/registry';
import { newId } from '../../src/base/ids';
import type { RequestContext } from '../http/route';
import { type AllowedTargetSettings, mergeAllowedTargets } from '../runs/allowed-targets';
import { modelLimits, type RunLimitSettings, toolLimits } from '../runs/run-limits';
import type { ApprovalPolicies } from '../runs/approval-policies';
import { checkApprovalTools } from '../runs/approval-tools';
import type { BudgetPolicies } from '../runs/budget-policies';
import type { TurnRuns } from '../runs/turn-runs';
import { type AgentRequest, DEFAULT_TEMPERATURE } from './agent-requests';

/** Starts turns of the agent and waits for them. */
export interface AgentRuns {
  /** Answers a message. @throws HoldfastError as `TurnRuns.take` does */
  execute(request: AgentRequest, context: RequestContext): Promise<AgentTurnResult>;
}

export interface AgentRunsPorts {
  readonly turns: TurnRuns;
  readonly registry: Pick<ToolRegistry, 'list'>;
  readonly policies: ApprovalPolicies;
  readonly budgets: BudgetPolicies;
  chooseModel(options: GenerationOptions): ModelChoice;
  readonly settings: AgentSettings;
}

export type AgentSettings = RunLimitSettings &
  AllowedTargetSettings &
  Pick<
    Config,
    | 'PLANNER_MAX_ITERATIONS'
    | 'PLANNER_MAX_REPLANS'
    | 'CLASSIFY_TIMEOUT_MS'
    | 'CONVERSATION_RECENT_MESSAGES'
    | 'CONVERSATION_MEMORY_TIMEOUT_MS'
  >;

/** Tokens of the classification of a turn: its words take a hundred, and models that reason count what they think too. */
const MAX_CLASSIFICATION_TOKENS = 2_000;

export function createAgentRuns(ports: AgentRunsPorts): AgentRuns {
  const { turns, registry, policies, budgets, chooseModel, settings } = ports;
  return {
    execute(request, context) {
      const { userId, sessionId, onWaiting } = request.options;
      // The model is resolved first, so that a request with an unknown name takes no place in the session.
      const options = withTemperature(request.options);
      const choice = chooseModel(options);
      return turns.take<AgentTurnResult>(
        {
          userId,
          sessionId,
          prefix: 'agent-turn',
          area: 'agent',
          asked: { ...request, options },
          behindPaused: onWaiting === 'queue',
          prepare: async (after) => {
            await checkApprovalTools(registry, request.options.approval);
            const budget = budgets.build(request.options.budget, choice, { userId, sessionId });
            const approval = await policies.forPlanner(
              request.options.approval,
              () => registry.list(),
              budget,
            );
            const input: AgentTurnInput = {
              ...buildTurnInput(request, choice, settings),
              approval,
              budget,
              after,
            };
            return {
              workflowType: 'agentTurn',
              input,
              summary: summariseText(request.query),
              mayPause: approval !== undefined,
            };
          },
        },
        context,
      );
    },
  };
}

/** The options of a turn's model, with the temperature of its answer. */
export function withTemperature(options: AgentRequest['options']): AgentRequest['options'] {
  return { ...options, temperature: options.temperature ?? DEFAULT_TEMPERATURE };
}

/** Builds the input of a turn, without the turn that it waits for. */
export function buildTurnInput(
  { query, options }: AgentRequest,
  choice: ModelChoice,
  settings: AgentSettings,
): Omit<AgentTurnInput, 'after' | 'approval' | 'budget'> {
  const { userId, sessionId, hintIntent, previousIntents, includeReasoning, toolTimeout, maxToolRetries } =
    options;
  return {
    userId,
    sessionId,
    query,
    messageIds: { user: newId(), assistant: newId() },
    classification: {
      includeReasoning,
      hintIntent,
      previousIntents,
      model: options.model,
      timeout: settings.CLASSIFY_TIMEOUT_MS,
      maxTokens: MAX_CLASSIFICATION_TOKENS,
      fallback: true,
    },
    recall: options.includeMemoryContext ? buildRecallOptions(options, settings) : undefined,
    choice,
    ...(options.temperature === undefined ? { hasUsualTemperature: true } : {}),
    maxIterations: settings.PLANNER_MAX_ITERATIONS,
    maxReplans: settings.PLANNER_MAX_REPLANS,
    toolLimits: {
      ...toolLimits(settings, toolTimeout, 'options.toolTimeout'),
      ...(maxToolRetries === undefined ? {} : { maxAttempts: maxToolRetries + 1 }),
    },
    modelLimits: modelLimits(settings),
    memoryLimits: { timeoutMs: settings.CONVERSATION_MEMORY_TIMEOUT_MS },
    allow: mergeAllowedTargets(settings, options.allow),
    responseDetailLevel: options.responseDetailLevel,
  };
}

function buildRecallOptions(
  options: AgentRequest['options'],
  settings: AgentSettings,
): AgentTurnInput['recall'] {
  const { memorySearchTerms, maxMemoryResults, memoryThreshold, crossSessionMemory } = options;
  const { excludeVectors, responseDetailLevel } = options;
  return {
    terms: memorySearchTerms,
    limit: maxMemoryResults,
    threshold: memoryThreshold,
    crossSession: crossSessionMemory,
    recent: settings.CONVERSATION_RECENT_MESSAGES,
    // Level full includes vectors unless the caller excludes them; level standard only if the caller asks for them.
    withVectors: responseDetailLevel !== 'minimal' && !(excludeVectors ?? responseDetailLevel !== 'full'),
  };
}
