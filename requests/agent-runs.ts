import type { AgentTurnInput, AgentTurnResult } from '../src/contracts/runs/agent';
import type { GenerationOptions } from '../src/contracts/http/llm';
import { agentToolName, type CallableAgent, MAX_AGENT_DEPTH } from '../src/contracts/runs/agent-calls';
import type { TurnFile } from '../src/contracts/http/files';
import { summariseText } from '../src/contracts/runs/summaries';
import type { ModelChoice } from '../src/contracts/runs/workflows';
import type { Config } from '../src/settings/config';
import { keepOffered } from '../src/contracts/tool-names';
import type { AnswerSchemas } from '../src/llm/answer-schemas';
import type { ToolRegistry } from '../src/tools/registry';
import { validationError } from '../src/base/errors';
import { newId } from '../src/base/ids';
import { readAttached, resolveFiles } from '../src/files/read-attachments';
import { LOADED_FACTOR, type UserFiles } from '../src/files/user-files';
import type { Starting } from './starting';
import { type AllowedTargetSettings, mergeAllowedTargets } from './allowed-targets';
import { modelLimits, type RunLimitSettings, toolLimits } from './run-limits';
import { type ApprovalPolicies, checkApprovalTools } from './approval-policies';
import type { BudgetPolicies } from './budget-policies';
import { checkCallerTools, checkOfferedTools, checkResponseSchema } from './turn-options';
import type { TurnRuns } from './turn-runs';
import { type AgentRequest, DEFAULT_TEMPERATURE } from './agent-requests';
import type { NamedAgents } from './agent-definitions';
import { type ShapedRequest, shapeRequest } from './shaped-request';

/** Starts turns of the agent and waits for them. */
export interface AgentRuns {
  /**
   * Answers a message. The agent that a request names is read only if there is no earlier run to join, and the run keeps what it
   * was then.
   * @throws HoldfastError `AGENT_NOT_FOUND`; `VALIDATION` for what the agent may not do; as `TurnRuns.take` does
   */
  execute(request: ShapedRequest, context: Starting): Promise<AgentTurnResult>;
}

export interface AgentRunsPorts {
  readonly turns: TurnRuns;
  readonly registry: Pick<ToolRegistry, 'list'>;
  readonly schemas: Pick<AnswerSchemas, 'findFault'>;
  readonly policies: ApprovalPolicies;
  readonly budgets: BudgetPolicies;
  readonly agents: Pick<NamedAgents, 'get' | 'list'>;
  chooseModel(options: GenerationOptions): ModelChoice;
  /** The files that users have sent before. */
  readonly files: Pick<UserFiles, 'head' | 'read'>;
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
    | 'APPROVAL_DEADLINE_MS'
    | 'BUDGET_ON_EXCEEDED'
    | 'CONVERSATION_MEMORY_TIMEOUT_MS'
  >;

/** Tokens of the classification of a turn: its words take a hundred, and models that reason count what they think too. */
const MAX_CLASSIFICATION_TOKENS = 2_000;

export function createAgentRuns(ports: AgentRunsPorts): AgentRuns {
  const { turns, registry, schemas, policies, budgets, agents, chooseModel, files, settings } = ports;
  const choose = ({ options }: AgentRequest): ModelChoice => chooseModel(withTemperature(options));

  /** Joins a request with the agent that it names, if it names one. */
  async function shape(request: ShapedRequest): Promise<ShapedRequest> {
    const { agent } = request.options;
    if (agent === undefined) return request;
    return shapeRequest(request, await agents.get(agent), { ...settings, ceilings: budgets.ceilings });
  }

  /**
   * Checks the names of tools that a request has written. What a definition names was checked when it was stored, and what a turn that
   * calls this one names, when that began.
   */
  async function checkNames(request: ShapedRequest, shaped: ShapedRequest): Promise<void> {
    if (request.calledBy !== undefined) return;
    const ofAgents = (shaped.agents ?? []).map(agentToolName);
    await checkApprovalTools(registry, request.options.approval, { ofAgents });
    await checkOfferedTools(registry, request.options.tools, { ofAgents });
    await checkCallerTools(registry, request.options.callerTools);
  }

  /** An agent that there is not, or not any more, is offered too: a call of it says so. */
  async function describeAgents(ids: readonly string[] = []): Promise<readonly CallableAgent[]> {
    if (ids.length === 0) return [];
    const known = new Map((await agents.list()).map(({ id, description }) => [id, description]));
    return ids.map((id) => ({ id, description: known.get(id) ?? 'there is no such agent now' }));
  }

  /**
   * Reads the files of a request, each as soon as there is memory for it.
   * @throws HoldfastError `VALIDATION`, also if rules would answer, which read no files; as `UserFiles.read` does
   */
  async function readFiles(
    { options, files: formerFiles }: ShapedRequest,
    { provider }: ModelChoice,
    { admit }: Starting,
  ): Promise<readonly TurnFile[] | undefined> {
    const { attachments = [], userId } = options;
    if (formerFiles === undefined && attachments.length === 0) return undefined;
    const field = 'options.attachments';
    if (provider === 'builtin')
      throw validationError(field, `${field} needs a model, since the built-in rules read no files`);
    if (formerFiles !== undefined) return formerFiles;
    return resolveFiles(await readAttached(attachments), async (id) => {
      const { size } = await files.head(userId, id);
      await admit(size * LOADED_FACTOR);
      return files.read(userId, id);
    });
  }

  return {
    execute(request, context) {
      const { userId, sessionId, onWaiting, agent } = request.options;
      // The model is resolved first, so that a request with an unknown name takes no place in the session.
      const firstChoice = agent === undefined ? choose(request) : undefined;
      return turns.take<AgentTurnResult>(
        {
          userId,
          sessionId,
          prefix: 'agent-turn',
          area: 'agent',
          asked: { ...request, options: withTemperature(request.options) },
          behindPaused: onWaiting === 'queue',
          prepare: async (after) => {
            const shaped = await shape(request);
            await checkNames(request, shaped);
            const { options, calledBy, narrowing } = shaped;
            const choice = firstChoice ?? choose(shaped);
            if (shaped.mustCall === true && choice.provider === 'builtin')
              throw validationError(
                'mustCall',
                'takes a language model; the built-in rules call what a message asks for',
              );
            await checkResponseSchema(schemas, options.responseSchema, choice, context.signal());
            const budget = budgets.build(options.budget, choice, { userId, sessionId });
            const mayCall = calledBy === undefined || calledBy.depth < MAX_AGENT_DEPTH;
            const callable = mayCall ? await describeAgents(shaped.agents) : [];
            const offered = async () => keepOffered(await registry.list(), options.tools);
            // What the agents that it calls ask for is not known yet, and a tool of the caller is waited for.
            const approval =
              callable.length > 0 || options.callerTools !== undefined
                ? policies.build(options.approval)
                : await policies.forPlanner(options.approval, offered, budget);
            const turnFiles = await readFiles(request, choice, context);
            const input: AgentTurnInput = {
              ...buildTurnInput(shaped, choice, settings),
              ...(callable.length > 0 ? { agents: callable, narrowing } : {}),
              calledBy,
              files: turnFiles?.map(({ name, type, size }) => ({ name, type, size })),
              approval,
              budget,
              after,
            };
            return {
              workflowType: 'agentTurn',
              input,
              files: turnFiles && { current: turnFiles },
              summary: summariseText(
                shaped.agent === undefined ? shaped.query : `${shaped.agent.id}: ${shaped.query}`,
              ),
              mayPause: approval !== undefined,
              agent: shaped.agent?.id,
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
  { query, options, agent, remember, earlier, mustCall }: ShapedRequest,
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
    maxIterations: options.maxIterations ?? settings.PLANNER_MAX_ITERATIONS,
    maxReplans: settings.PLANNER_MAX_REPLANS,
    toolLimits: {
      ...toolLimits(settings, toolTimeout, 'options.toolTimeout'),
      ...(maxToolRetries === undefined ? {} : { maxAttempts: maxToolRetries + 1 }),
    },
    modelLimits: modelLimits(settings),
    memoryLimits: { timeoutMs: settings.CONVERSATION_MEMORY_TIMEOUT_MS },
    allow: mergeAllowedTargets(settings, options.allow),
    instructions: options.instructions,
    tools: options.tools,
    callerTools: options.callerTools,
    responseSchema: options.responseSchema,
    responseDetailLevel: options.responseDetailLevel,
    agent,
    remember,
    earlier,
    mustCall,
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
