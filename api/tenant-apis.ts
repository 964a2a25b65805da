import { onceForEach } from '../src/base/async/once-for-each';
import { DEFAULT_TENANT } from '../src/contracts/tenants';
import type { Tenants, TenantServices } from '../src/tenants/tenants';
import { createApiRoutes } from './api-routes';
import type { AnyRoute } from './http/route';
import { registryTools } from './mcp/registry-tools';
import { createMemorySearch } from './mcp/memory-search';
import { memoryTool } from './mcp/memory-tool';
import { agentTool } from './mcp/agent-tool';
import { workflowTools } from './mcp/workflow-tools';
import { memoryResources } from './mcp/memory-resources';
import type { ResourceSource } from './mcp/resource-source';
import { runResources } from './mcp/run-resources';
import type { TenantMcp } from './mcp/tenant-mcp';
import type { ToolSource } from './mcp/tool-source';
import { workflowPrompts } from './mcp/workflow-prompts';
import type { SharedPorts } from './shared-ports';
import type { McpPart } from '../src/settings/mcp';
import { createTenantRuns, type TenantRuns } from './tenant-runs';

/** What a tenant's callers reach: by HTTP, and by the Model Context Protocol. */
export interface TenantApi {
  readonly routes: readonly AnyRoute[];
  readonly mcp: TenantMcp;
}

export interface TenantApis {
  readonly default: TenantApi;
  /** Returns that of a tenant, which is created at its first request. @throws HoldfastError as `Tenants.of` does */
  of(tenant: string): Promise<TenantApi>;
}

export function createTenantApis(shared: SharedPorts, tenants: Tenants): TenantApis {
  const own = createTenantApi(shared, tenants.default);
  const open = onceForEach(async (tenant) => createTenantApi(shared, await tenants.of(tenant)));
  return { default: own, of: (tenant) => (tenant === DEFAULT_TENANT ? Promise.resolve(own) : open(tenant)) };
}

function createTenantApi(shared: SharedPorts, services: TenantServices): TenantApi {
  const runs = createTenantRuns(shared, services);
  return { routes: createApiRoutes(shared, services, runs), mcp: createTenantMcp(shared, services, runs) };
}

function createTenantMcp(shared: SharedPorts, services: TenantServices, runs: TenantRuns): TenantMcp {
  const { config, engine } = shared;
  const { registry, argumentChecks, memory } = services;
  const { catalogue, budgets } = runs;
  const memories = createMemorySearch(memory.stores, config);
  // The tools of the service come before registered ones of the same name.
  const sources: readonly (readonly [McpPart, ToolSource])[] = [
    ['agent', agentTool(runs.agent, config)],
    ['memory', memoryTool(memories)],
    ['workflows', workflowTools(catalogue, runs.custom)],
    ['tools', registryTools(registry, argumentChecks, runs.tools)],
  ];
  const offers = (part: McpPart): boolean => config.MCP_OFFER.includes(part);
  const resources: ResourceSource[] = [
    runResources(engine, shared.shown),
    ...(offers('memory') ? [memoryResources(memories)] : []),
  ];
  return {
    tools: sources.flatMap(([part, source]) => (offers(part) ? [source] : [])),
    resources,
    // A prompt asks to call the tool of its workflow.
    prompts: offers('workflows') ? [workflowPrompts(catalogue, argumentChecks)] : [],
    budgets,
    argumentChecks,
  };
}
