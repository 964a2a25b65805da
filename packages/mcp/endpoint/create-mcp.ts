import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import type { RequestContext } from '../../../api/http/route';
import { createServerFactory } from './build-server';
import { toAuthInfo } from './exchange';
import type { McpPorts } from './mcp-ports';
import { createSessions } from './sessions';
import type { Caller } from '../../../src/access/caller';
import type { Scope } from '../../../src/contracts/http/access';
import type { McpPart } from '../../../src/settings/mcp';
import { SEARCH_MEMORIES } from './memory-tool';
import { checkAccess } from '../../../api/http/access';
import { readMemoriesUri } from './resources';

/** The methods that need more than the right to read. Answering an approval and stopping a run need what starting one does. */
const SCOPES: ReadonlyMap<unknown, Scope> = new Map([
  ['tools/call', 'run'],
  ['tasks/update', 'run'],
  ['tasks/cancel', 'run'],
]);

export interface McpRequest {
  /** Its signal aborts when the client goes away before it has the response. */
  readonly request: Request;
  /** The parsed body; undefined for a request without one. */
  readonly body: unknown;
  readonly context: RequestContext;
  /** Aborts when the response is closed. */
  readonly closed: AbortSignal;
}

/** The service as a server of the Model Context Protocol, in both eras on one path. */
export interface McpEndpoint {
  /** @throws HoldfastError `SCOPE_MISSING` */
  handle(request: McpRequest): Promise<Response>;
  /** Aborts when streams that belong to no call are to end, because the service is being stopped. */
  readonly stopping: AbortSignal;
  /** Ends the streams that belong to no call. From then on a connection that ends cancels nothing. */
  beginToStop(): void;
  close(): Promise<void>;
}

export function createMcp(ports: Omit<McpPorts, 'isStopping'>): McpEndpoint {
  const stopping = new AbortController();
  const { additions } = ports;
  const offerOf: McpPorts['offerOf'] = async (tenant) => {
    const offer = await ports.offerOf(tenant);
    return additions?.addTo(offer, ports.secrets) ?? offer;
  };
  const build = createServerFactory({ ...ports, offerOf, isStopping: () => stopping.signal.aborted });
  // The message of the error repeats what the client sent.
  const onerror = ({ name }: Error): void => ports.logger.debug({ name }, 'an MCP request was refused');
  const modern = createMcpHandler(build, { legacy: 'reject', onerror });
  const sessions = createSessions(build);
  return {
    stopping: stopping.signal,
    async handle({ request, body, context, closed }) {
      checkMessageAccess(body, context.caller, ports.offered);
      const options = { parsedBody: body, authInfo: toAuthInfo(context) };
      if (!(await isLegacyRequest(request, body))) return modern.fetch(request, options);
      return sessions.handle(request, options, { caller: context.caller, closed });
    },
    beginToStop: () => stopping.abort(),
    async close() {
      stopping.abort();
      await Promise.all([modern.close(), sessions.close()]);
    },
  };
}

interface Message {
  readonly method?: unknown;
  readonly params?: { readonly name?: unknown; readonly uri?: unknown } | null;
}

/**
 * Checks that a caller may send these messages, before any of them is handled.
 * @param body a message or, as old clients send them, a list
 * @throws HoldfastError `SCOPE_MISSING`
 */
function checkMessageAccess(body: unknown, caller: Caller, offered: ReadonlySet<McpPart>): void {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  for (const message of messages) {
    const concernsMemory = offered.has('memory') && readsMemories(message);
    checkAccess(caller, { access: concernsMemory ? 'memory' : scopeOf(message) });
  }
}

function scopeOf(message: unknown): Scope {
  if (typeof message !== 'object' || message === null) return 'read';
  return SCOPES.get((message as Message).method) ?? 'read';
}

/** Whether a message reads memories, by the tool or by the resource, which need the same right as over HTTP. */
function readsMemories(message: unknown): boolean {
  if (typeof message !== 'object' || message === null) return false;
  const { method, params } = message as Message;
  if (method === 'tools/call') return params?.name === SEARCH_MEMORIES;
  const uri = method === 'resources/read' ? params?.uri : undefined;
  return typeof uri === 'string' && readMemoriesUri(uri) !== undefined;
}
