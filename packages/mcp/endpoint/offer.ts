import type { TenantServices } from '../../../src/tenants/tenants';
import type { McpPart } from '../../../src/settings/mcp';
import type { Config } from '../../../src/settings/config';
import type { WorkflowCatalogue } from '../../../src/workflow-definitions/catalogue';
import type { Engine } from '../../../temporal/engine';
import type { ShownRuns } from '../../../temporal/runs/run-lookup';
import type { NamedAgents } from '../../../requests/agent-definitions';
import type { AgentRuns } from '../../../requests/agent-runs';
import type { BudgetPolicies } from '../../../requests/budget-policies';
import type { ToolRuns } from '../../../requests/tool-runs';
import type { CustomRuns } from '../../../requests/custom-runs';
import { agentTools } from './agent-tools';
import { memoryTool, createMemorySearch } from './memory-tool';
import { registryTools } from './registry-tools';
import { runResources, memoryResources } from './resources';
import type { McpOffer } from './mcp-ports';
import type { ToolSource } from './sources';
import { workflowPrompts } from './workflow-prompts';
import { workflowTools } from './workflow-tools';

export interface McpOfferPorts {
  readonly config: Config;
  readonly engine: Engine;
  readonly shown: ShownRuns;
}

/** The services of the tenant that its offer uses. */
export interface McpOfferServices extends Pick<TenantServices, 'registry' | 'argumentChecks' | 'memory'> {
  readonly runs: { readonly agent: AgentRuns; readonly custom: CustomRuns; readonly tools: ToolRuns };
  readonly agents: NamedAgents;
  readonly budgets: BudgetPolicies;
  readonly catalogue: WorkflowCatalogue;
}

export function createMcpOffer(
  { config, engine, shown }: McpOfferPorts,
  services: McpOfferServices,
): McpOffer {
  const { registry, argumentChecks, memory, runs, agents, catalogue, budgets } = services;
  const memories = createMemorySearch(memory, config);
  // The tools of the service come before registered ones of the same name.
  const sources: readonly (readonly [McpPart, ToolSource])[] = [
    ['agent', agentTools(runs.agent, agents, config)],
    ['memory', memoryTool(memories)],
    ['workflows', workflowTools(catalogue, runs.custom)],
    ['tools', registryTools(registry, argumentChecks, runs.tools)],
  ];
  const offers = (part: McpPart): boolean => config.MCP_OFFER.includes(part);
  return {
    tools: sources.flatMap(([part, source]) => (offers(part) ? [source] : [])),
    resources: [runResources(engine, shown), ...(offers('memory') ? [memoryResources(memories)] : [])],
    // A prompt asks to call the tool of its workflow.
    prompts: offers('workflows') ? [workflowPrompts(catalogue, argumentChecks)] : [],
    budgets,
    argumentChecks,
  };
}
