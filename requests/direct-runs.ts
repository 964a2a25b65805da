import { createSessionOrder } from '../src/conversation/session-order';
import { createUserFiles, type UserFiles } from '../src/files/user-files';
import type { ModelProviders } from '../src/llm/model-providers';
import type { Config } from '../src/settings/config';
import type { BlobStore } from '../src/stores/blobs/blob-store';
import type { TenantServices } from '../src/tenants/tenants';
import { builtinWorkflows } from '../src/workflow-definitions/builtin';
import { createWorkflowCatalogue, type WorkflowCatalogue } from '../src/workflow-definitions/catalogue';
import { readPendingApprovals } from '../temporal/approvals/pending-approvals';
import type { Engine } from '../temporal/engine';
import type { RunClient } from '../temporal/runs/run-client';
import { readTurnState } from '../temporal/runs/run-state';
import { serverClock } from '../temporal/server-clock';
import { createAgentStore } from '../src/agents/agent-store';
import type { AgentDefinition, NamedAgents } from './agent-definitions';
import { type AgentRuns, createAgentRuns } from './agent-runs';
import type { ApprovalPolicies } from './approval-policies';
import type { BudgetPolicies } from './budget-policies';
import { type CallerRuns, refuseWhileErasing } from './caller-runs';
import { modelChooser, turnModelChooser } from './choose-model';
import { createCustomRuns, type CustomRuns } from './custom-runs';
import { modelLimits, toolLimits } from './run-limits';
import { createToolRuns, type ToolRuns } from './tool-runs';
import { createTurnRuns, type TurnRuns } from './turn-runs';

/** What the runs of all tenants share. */
export interface DirectRunsPorts {
  readonly config: Config;
  readonly engine: Engine;
  readonly models: ModelProviders;
  readonly policies: ApprovalPolicies;
  readonly client: RunClient;
  /** The store of files that callers send, which API and workers share. */
  readonly blobs: BlobStore;
}

export interface DirectRunsParts {
  readonly budgets: BudgetPolicies;
  readonly catalogue: WorkflowCatalogue;
  /** What takes turns of conversations; absent: as requests do. */
  readonly turns?: TurnRuns;
}

/** Starts the runs that schedules start too, and what other runs of a tenant are started by. */
export interface DirectRuns {
  readonly tools: ToolRuns;
  readonly custom: CustomRuns;
  readonly agent: AgentRuns;
  readonly turns: TurnRuns;
  /** Starts runs only for users who are not being erased. */
  readonly client: CallerRuns;
  readonly isErasing: (userId: string) => Promise<boolean>;
  readonly files: UserFiles;
}

export function createDirectRuns(
  { config: settings, engine, models, policies, client: anyClient, blobs }: DirectRunsPorts,
  services: TenantServices,
  { budgets, catalogue, turns: ownTurns }: DirectRunsParts,
): DirectRuns {
  const { tenant, documents, pseudonyms, registry, argumentChecks: checks, memory } = services;
  const { answerSchemas: schemas } = services;
  const isErasing = (userId: string): Promise<boolean> => memory.erasures.isUnderWay(userId);
  const client = refuseWhileErasing(anyClient, isErasing);
  const files = createUserFiles({
    blobs,
    tenant,
    pseudonyms,
    isErasing,
    latestErasure: (userId) => memory.erasures.latestOf(userId),
    now: serverClock.now,
  });
  const turns =
    ownTurns ??
    createTurnRuns({
      client: anyClient,
      places: createSessionOrder({
        documents,
        now: serverClock.now,
        maxWaiting: settings.SESSION_MAX_WAITING_TURNS,
        runState: (workflowId, placedAt) => readTurnState(engine, workflowId, placedAt),
      }),
      now: serverClock.now,
      pseudonyms,
      isErasing,
      pendingApprovals: (workflowId) => readPendingApprovals(engine, settings.TASK_QUEUE, workflowId),
    });
  return {
    client,
    turns,
    isErasing,
    files,
    tools: createToolRuns(client, settings, policies, registry),
    custom: createCustomRuns({
      client,
      catalogue,
      preparing: {
        registry,
        schemas,
        chooseModel: modelChooser(models),
        toolLimits: toolLimits(settings),
        modelLimits: modelLimits(settings),
      },
      checks,
      settings,
      policies,
    }),
    agent: createAgentRuns({
      turns,
      registry,
      schemas,
      policies,
      budgets,
      agents: createNamedAgents(documents),
      chooseModel: turnModelChooser(models),
      files,
      settings,
    }),
  };
}

/** The named agents of a tenant. */
export function createNamedAgents(documents: TenantServices['documents']): NamedAgents {
  return createAgentStore<AgentDefinition>(documents, serverClock.now);
}

/** The catalogue of a tenant's workflows. */
export function createTenantCatalogue(
  { documents, registry, answerSchemas: schemas }: TenantServices,
  { MAX_WORKFLOWS: maxWorkflows }: Pick<Config, 'MAX_WORKFLOWS'>,
): WorkflowCatalogue {
  return createWorkflowCatalogue({ documents, registry, schemas, builtins: builtinWorkflows, maxWorkflows });
}
