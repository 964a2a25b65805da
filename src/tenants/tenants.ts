import { onceForEach } from '../base/async/once-for-each';
import { DEFAULT_TENANT } from '../contracts/tenants';
import type { Intents } from '../intent/service/create-intents';
import type { AnswerSchemas } from '../llm/answer-schemas';
import type { TenantMemorySystem } from '../memory/create-memory-system';
import type { Pseudonyms } from '../secrets/pseudonyms';
import type { DocumentStore, TenantDocuments } from '../stores/documents';
import type { SchemaChecks } from '../sandbox/schema-checks';
import type { ArgumentChecks } from '../tools/argument-check';
import type { ToolRegistry } from '../tools/registry';
import type { RemoteServices } from '../tools/remote-servers';
import type { ToolStatisticsStore } from '../tools/statistics';
import { admitTenant, TENANT_COLLECTION } from './admit-tenant';

/**
 * What API and worker use of one tenant. Code that has only these ports reaches nothing of another tenant, whatever its caller
 * sends.
 */
export interface TenantServices {
  readonly tenant: string;
  readonly documents: TenantDocuments;
  readonly pseudonyms: Pseudonyms;
  readonly registry: ToolRegistry;
  /** Checks schemas and values in threads that all tenants share by their callers. */
  readonly schemaChecks: SchemaChecks;
  readonly argumentChecks: ArgumentChecks;
  readonly statistics: ToolStatisticsStore;
  readonly intents: Intents;
  readonly memory: TenantMemorySystem;
  /** Checks what models answer by schemas of callers. */
  readonly answerSchemas: AnswerSchemas;
  /** The remote MCP servers of the tenant. */
  readonly mcp: RemoteServices;
}

export interface Tenants {
  /** The services of the default tenant. */
  readonly default: TenantServices;
  /**
   * The services of a tenant. The first use of a tenant adds the built-in tools to its registry.
   * @throws HoldfastError as `admitTenant` does
   */
  of(tenant: string): Promise<TenantServices>;
  /** The names of all tenants, the default one first. @throws HoldfastError `STORE_UNAVAILABLE` (retryable) */
  list(): Promise<string[]>;
}

export interface TenantsPorts {
  /** The documents of the default tenant, among which the names of the others are. */
  readonly documents: Pick<DocumentStore, 'get' | 'list' | 'write'>;
  /** Opens nothing that has to be closed. */
  readonly createServices: (tenant: string) => TenantServices;
}

export function createTenants({ documents, createServices }: TenantsPorts): Tenants {
  const services = createServices(DEFAULT_TENANT);

  const open = onceForEach(async (tenant) => {
    await admitTenant(documents, tenant);
    const opened = createServices(tenant);
    await opened.registry.seed();
    return opened;
  });

  return {
    default: services,
    of: (tenant) => (tenant === DEFAULT_TENANT ? Promise.resolve(services) : open(tenant)),
    list: async () => [DEFAULT_TENANT, ...(await documents.list(TENANT_COLLECTION)).map(({ key }) => key)],
  };
}
