import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import type { RequestContext } from '../http/route';
import { createServerFactory } from './build-server';
import { toAuthInfo } from './exchange';
import type { McpPorts } from './mcp-ports';
import { checkMessageAccess } from './message-access';
import { createSessions } from './sessions';

export interface McpRequest {
  /** Its signal aborts where the client goes away before it has the response. */
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
