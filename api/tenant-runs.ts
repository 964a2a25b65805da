import { createSessionOrder } from '../src/conversation/session-order';
import { builtinWorkflows } from '../src/workflow-definitions/builtin';
import { createWorkflowCatalogue, type WorkflowCatalogue } from '../src/workflow-definitions/catalogue';
import type { TenantServices } from '../src/tenants/tenants';
import { readPendingApprovals } from '../temporal/approvals/pending-approvals';
import { readTurnState } from '../temporal/runs/run-state';
import { serverClock } from '../temporal/server-clock';
import { type AgentRuns, createAgentRuns } from './agent/agent-runs';
import type { SharedPorts } from './shared-ports';
import { type CallerRuns, refuseWhileErasing } from './runs/caller-runs';
import { type BudgetPolicies, createBudgetPolicies } from './runs/budget-policies';
import { modelChooser, turnModelChooser } from './runs/choose-model';
import { modelLimits, toolLimits } from './runs/run-limits';
import { createTurnRuns, type TurnRuns } from './runs/turn-runs';
import { createToolRuns, type ToolRuns } from './tools/tool-runs';
import { createCustomRuns, type CustomRuns } from './workflows/custom-runs';

/** What starts the runs of a tenant. Its HTTP routes and its MCP tools share one instance. */
export interface TenantRuns {
  /** Starts all other runs of callers. */
  readonly client: CallerRuns;
  readonly tools: ToolRuns;
  readonly custom: CustomRuns;
  readonly agent: AgentRuns;
  readonly turns: TurnRuns;
  readonly budgets: BudgetPolicies;
  readonly catalogue: WorkflowCatalogue;
}

/** Creates what starts the runs of a tenant, on the services of that tenant alone. */
export function createTenantRuns(shared: SharedPorts, services: TenantServices): TenantRuns {
  const { config, engine, models, prices, policies } = shared;
  const {
    documents,
    pseudonyms,
    registry,
    argumentChecks: checks,
    memory,
    answerSchemas: schemas,
  } = services;
  const isErasing = (userId: string): Promise<boolean> => memory.erasures.isUnderWay(userId);
  const client = refuseWhileErasing(shared.client, isErasing);
  const budgets = createBudgetPolicies(config, prices, pseudonyms);
  const catalogue = createWorkflowCatalogue({
    documents,
    registry,
    schemas,
    builtins: builtinWorkflows,
    maxWorkflows: config.MAX_WORKFLOWS,
  });
  const custom = createCustomRuns({
    client,
    catalogue,
    preparing: {
      registry,
      schemas,
      chooseModel: modelChooser(models),
      toolLimits: toolLimits(config),
      modelLimits: modelLimits(config),
    },
    checks,
    settings: config,
    policies,
  });
  const turns = createTurnRuns({
    client: shared.client,
    places: createSessionOrder({
      documents,
      now: serverClock.now,
      maxWaiting: config.SESSION_MAX_WAITING_TURNS,
      runState: (workflowId, placedAt) => readTurnState(engine, workflowId, placedAt),
    }),
    now: serverClock.now,
    pseudonyms,
    isErasing,
    pendingApprovals: (workflowId) => readPendingApprovals(engine, config.TASK_QUEUE, workflowId),
  });
  const agent = createAgentRuns({
    turns,
    registry,
    policies,
    budgets,
    chooseModel: turnModelChooser(models),
    settings: config,
  });
  return {
    client,
    tools: createToolRuns(client, config, policies, registry),
    custom,
    agent,
    turns,
    budgets,
    catalogue,
  };
}
