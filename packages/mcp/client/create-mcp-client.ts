import type { Logger } from '../../../src/base/logger';
import { createCheckedFetch } from '../../../src/egress/checked-fetch';
import type { SchemaChecks } from '../../../src/sandbox/schema-checks';
import type { SecretBox } from '../../../src/secrets/secret-box';
import type { TenantDocuments } from '../../../src/stores/documents';
import type { ToolRegistry } from '../../../src/tools/registry';
import type { RemoteServices } from '../../../src/tools/remote-servers';
import { createRemoteTools } from './call-tool';
import { createCommands } from './commands';
import { createConnect } from './connect';
import { createMcpServers } from './servers';
import { callerResolver } from '../../../src/egress/dispatcher';
import type { NameSource } from '../../../src/contracts/constants';

export interface McpClientOptions {
  readonly secrets: SecretBox;
  /** Where values are checked by the schemas of servers. */
  readonly checks: SchemaChecks;
  readonly maxServers: number;
  /** How the names of servers are looked up. */
  readonly names: NameSource;
  /** The maximum size of a response, or of a message of a command, bytes. */
  readonly maxBodyBytes: number;
  /** Whether addresses that callers of this process name may be private ones. */
  readonly allowPrivate: boolean;
  /** Whether runs may reach private addresses from this process, if they have the permission. */
  readonly allowPrivateInRuns: boolean;
  /** Whether this process may run servers that are commands. */
  readonly allowCommands: boolean;
  readonly logger: Pick<Logger, 'warn'>;
}

export interface TenantMcpPorts {
  readonly tenant: string;
  readonly documents: TenantDocuments;
  readonly registry: ToolRegistry;
}

/** The client of remote MCP servers, whose connections all tenants share. */
export interface McpClient {
  of(ports: TenantMcpPorts): RemoteServices;
  /** Ends listings that run in the background and all commands, and closes all connections. */
  close(): Promise<void>;
}

export function createMcpClient(options: McpClientOptions): McpClient {
  const { secrets, checks, maxServers, maxBodyBytes, allowPrivate, allowPrivateInRuns, allowCommands } =
    options;
  const fetch = createCheckedFetch({
    allowPrivate: allowPrivateInRuns,
    maxBodyBytes,
    resolve: callerResolver(options.names),
  });
  const commands = createCommands({
    allowed: allowCommands,
    maxMessageBytes: maxBodyBytes,
    logger: options.logger,
  });
  const connect = createConnect(fetch, commands);
  const stopping = new AbortController();
  const background = new Set<Promise<unknown>>();
  const inBackground = (work: Promise<unknown>): void => {
    background.add(work);
    void work.finally(() => background.delete(work));
  };
  return {
    of(ports) {
      const { logger } = options;
      const common = { secrets, connect, fetch, logger, maxServers, allowPrivate, allowCommands };
      const servers = createMcpServers({ ...ports, ...common, stopping: stopping.signal, inBackground });
      const { tenant, registry } = ports;
      return {
        servers,
        tools: createRemoteTools({ servers, registry, connect, check: checks.of({ tenant }) }),
      };
    },
    async close() {
      stopping.abort(new Error('the service is being stopped'));
      await Promise.all([...background, commands.close()]);
      await fetch.close();
    },
  };
}
