import { DEFAULT_TENANT } from '../src/contracts/tenants';
import type { Tenants, TenantServices } from '../src/tenants/tenants';
import { createApiRoutes } from './api-routes';
import type { AnyRoute } from './http/route';
import { registryTools } from './mcp/registry-tools';
import type { TenantMcp } from './mcp/tool-source';
import type { SharedPorts } from './shared-ports';
import { createTenantRuns } from './tenant-runs';

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
  const known = new Map<string, Promise<TenantApi>>();
  const own = createTenantApi(shared, tenants.default);
  return {
    default: own,
    of(tenant) {
      if (tenant === DEFAULT_TENANT) return Promise.resolve(own);
      const created =
        known.get(tenant) ?? tenants.of(tenant).then((services) => createTenantApi(shared, services));
      known.set(tenant, created);
      // The next request of the tenant tries again.
      created.catch(() => known.delete(tenant));
      return created;
    },
  };
}

function createTenantApi(shared: SharedPorts, services: TenantServices): TenantApi {
  const runs = createTenantRuns(shared, services);
  const offered = new Set(shared.config.MCP_OFFER);
  return {
    routes: createApiRoutes(shared, services, runs),
    mcp: {
      budgets: runs.budgets,
      tools: offered.has('tools') ? [registryTools(services.registry, runs.tools)] : [],
    },
  };
}
