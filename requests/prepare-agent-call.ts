import { HoldfastError, messageOf, validationError } from '../src/base/errors';
import type { Logger } from '../src/base/logger';
import type { AgentTurnInput } from '../src/contracts/runs/agent';
import { agentToolName, CALL_MEMO, type CallMemo } from '../src/contracts/runs/agent-calls';
import { type AgentCall, type PreparedAgentTurn } from '../src/contracts/runs/called-turns';
import { ownerOfRun } from '../src/contracts/runs/run-owner';
import type { PriceTable } from '../src/llm/prices';
import type { TenantServices } from '../src/tenants/tenants';
import type { AgentVersion } from '../src/contracts/http/agents';
import { isOffered } from '../src/contracts/tool-names';
import type { AgentDefinition } from './agent-definitions';
import { type AgentRequest, agentRequestSchemas } from './agent-requests';
import { commonTools, shapeRequest, type ShapedRequest } from './shaped-request';
import { createBudgetPolicies } from './budget-policies';
import { captureRun, CAPTURING, turnsToCall } from './captured-run';
import {
  createDirectRuns,
  createNamedAgents,
  createTenantCatalogue,
  type DirectRunsPorts,
} from './direct-runs';
import { formerApproval, formerModel, formerTargets, formerTimeout } from './former-requests';
import { toPreparedChild } from './prepared-child';
import { startingWithoutRequest } from './starting';

export interface PrepareAgentCallPorts extends Omit<DirectRunsPorts, 'client'> {
  readonly logger: Logger;
  readonly prices: PriceTable;
}

/** Prepares the turn of an agent that another turn calls. @throws as the activity `prepareAgentCall` does */
export type PrepareAgentCall = (call: AgentCall, signal: AbortSignal) => Promise<PreparedAgentTurn>;

/**
 * Prepares turns that other turns call, as the endpoint of the agent would for the user of the run, within the limits of the turn that
 * calls. Such a turn has a session of its own, and is stored in memory only if the agent says that it writes.
 */
export function createAgentCalls(ports: PrepareAgentCallPorts, services: TenantServices): PrepareAgentCall {
  const { config, engine, prices, logger, models } = ports;
  const { tenant, pseudonyms, documents, memory } = services;
  const agents = createNamedAgents(documents);
  const schema = agentRequestSchemas(config).execute;
  const budgets = createBudgetPolicies(config, prices, pseudonyms);
  const isErasing = (userId: string): Promise<boolean> => memory.erasures.isUnderWay(userId);
  const runs = createDirectRuns({ ...ports, client: CAPTURING }, services, {
    budgets,
    catalogue: createTenantCatalogue(services, config),
    turns: turnsToCall({ isErasing, pseudonyms }),
  });

  /** The request of a call, with what the agent makes of it, within what the run and its request allow. */
  function toRequest(
    call: AgentCall,
    agent: AgentVersion & { readonly definition: AgentDefinition },
  ): ShapedRequest {
    const { query, userId, runId, choice, approval, budget, allow, toolLimits, calledBy } = call;
    const { narrowing = {} } = call;
    const written = { query, options: { userId, sessionId: `${agent.id}@${runId}` } };
    const parsed = schema.safeParse(written);
    if (!parsed.success) throw validationError('query', messageOf(parsed.error));
    const { model } = formerModel(choice, { defaultProvider: models.default });
    const hasLimits = budget !== undefined && Object.keys(budget.limits).length > 0;
    const request: AgentRequest = {
      query,
      options: {
        ...parsed.data.options,
        includeMemoryContext: narrowing.memory !== false,
        crossSessionMemory: narrowing.crossSession !== false,
        model: agent.definition.model ?? model,
        approval: formerApproval(approval),
        budget: hasLimits ? { ...budget.limits, onExceeded: budget.onExceeded } : undefined,
        allow: formerTargets(allow, config),
        toolTimeout: formerTimeout([toolLimits], config),
        maxToolRetries: Math.min(toolLimits.maxAttempts, config.TOOL_MAX_ATTEMPTS) - 1,
      },
    };
    const shaped = shapeRequest(request, agent, { ...config, ceilings: budgets.ceilings });
    const tools = commonTools(shaped.options.tools, narrowing.tools);
    return {
      ...shaped,
      options: { ...shaped.options, tools },
      agents: shaped.agents?.filter((id) => isOffered(narrowing.tools, agentToolName(id))),
      narrowing: call.narrowing,
      remember: agent.definition.memory?.write === true ? undefined : false,
      calledBy,
    };
  }

  return async (call, signal) => {
    const { agent: id, workflowId, callStep, budget } = call;
    const request = toRequest(call, await agents.get(id));
    const starting = startingWithoutRequest({
      requestId: workflowId,
      logger,
      caller: { id: undefined, scopes: new Set(['run']), tenant, userId: call.userId },
      owner: ownerOfRun(workflowId),
      signal,
    });
    const run = await captureRun(() => runs.agent.execute(request, starting));
    if (run === undefined) throw new HoldfastError('INTERNAL', 'The turn of the agent was not prepared');
    const {
      summary,
      memo,
      attributes,
      input: prepared,
    } = toPreparedChild(run, engine.current().searchAttributes);
    const noted: CallMemo = { step: callStep, toolName: agentToolName(id) };
    const input = prepared as AgentTurnInput;
    return {
      summary,
      attributes,
      memo: { ...memo, [CALL_MEMO]: noted },
      // What the run shares with others, it shares as its first turn does: a session of its own would have limits of its own.
      input:
        budget && input.budget ? { ...input, budget: { ...input.budget, shared: budget.shared } } : input,
    };
  };
}
