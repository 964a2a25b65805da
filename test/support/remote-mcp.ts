import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createMcpHandler,
  isInitializeRequest,
  McpServer,
  ProtocolError,
  WebStandardStreamableHTTPServerTransport,
  type CallToolResult,
  type Tool,
} from '@modelcontextprotocol/server';

type RemoteTool = Omit<Tool, 'name' | 'inputSchema'> & {
  readonly inputSchema?: Tool['inputSchema'];
  readonly call?: (args: Record<string, unknown>) => CallToolResult | Promise<CallToolResult>;
};

/** A remote MCP server on loopback, by the official packages. Its tools may be changed at any time. */
export interface RemoteMcp {
  readonly url: string;
  readonly tools: Map<string, RemoteTool>;
  /** Calls that arrived, in order. */
  readonly calls: { readonly tool: string; readonly args: unknown }[];
  /** Their idempotency keys. */
  readonly keys: unknown[];
  /** The headers of the latest request. */
  headers(): IncomingMessage['headers'];
  /** The methods of the protocol's messages that arrived, in order. */
  readonly methods: string[];
  /** Answers this number of calls with a 503. */
  failCalls(count: number): void;
  /** Cuts all connections and takes none, until `resume`. */
  suspend(): Promise<void>;
  resume(): Promise<void>;
  close(): Promise<void>;
}

/** The revision of 2025 with sessions, or that of 2026 without. */
export type Era = 'modern' | 'legacy';

/** Answers a request in place of the server; undefined: the server answers. */
export type Guard = (incoming: IncomingMessage) => Promise<Response | undefined>;

/** The result of a tool that returns an object. */
export function structured(value: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value };
}

export function text(value: string): CallToolResult {
  return { content: [{ type: 'text', text: value }] };
}

export async function startRemoteMcp(
  tools: Record<string, RemoteTool>,
  era: Era = 'modern',
  guard: Guard = () => Promise.resolve(undefined),
): Promise<RemoteMcp> {
  const known = new Map(Object.entries(tools));
  const calls: RemoteMcp['calls'] = [];
  const keys: unknown[] = [];
  const methods: string[] = [];
  let latest: IncomingMessage['headers'] = {};
  let failing = 0;

  function build(): McpServer {
    const mcp = new McpServer({ name: 'shop', version: '1.0.0' }, { capabilities: { tools: {} } });
    mcp.server.setRequestHandler('tools/list', () => ({
      tools: [...known].map(([name, { call: _, inputSchema = { type: 'object' as const }, ...rest }]) => ({
        name,
        inputSchema,
        ...rest,
      })),
    }));
    mcp.server.setRequestHandler('tools/call', ({ params: { name, arguments: args = {}, _meta } }) => {
      calls.push({ tool: name, args });
      keys.push(_meta?.['holdfast/idempotencyKey']);
      const tool = known.get(name);
      if (tool?.call === undefined) throw new ProtocolError(-32602, `Unknown tool: ${name}`);
      return tool.call(args);
    });
    return mcp;
  }

  const modern = createMcpHandler(build, { legacy: 'reject' });
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  async function answerLegacy(request: Request, parsedBody: unknown): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    const known = id === null ? undefined : sessions.get(id);
    if (known !== undefined) return known.handleRequest(request, { parsedBody });
    if (!isInitializeRequest(parsedBody)) return new Response(null, { status: 400 });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (sid: string) => void sessions.set(sid, transport),
      onsessionclosed: (sid: string) => void sessions.delete(sid),
    });
    await build().connect(transport);
    return transport.handleRequest(request, { parsedBody });
  }

  const server = createServer((incoming, response) => void answer(incoming, response));
  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    latest = incoming.headers;
    const guarded = await guard(incoming);
    if (guarded !== undefined) {
      incoming.resume();
      response.writeHead(guarded.status, Object.fromEntries(guarded.headers)).end(await guarded.text());
      return;
    }
    const { request, parsedBody } = await toRequest(incoming);
    const { method } = (parsedBody ?? {}) as { method?: string };
    methods.push(method ?? incoming.method ?? '');
    if (method === 'tools/call' && failing > 0) {
      failing -= 1;
      response.writeHead(503).end();
      return;
    }
    const answered =
      era === 'modern'
        ? await modern.fetch(request, { parsedBody })
        : await answerLegacy(request, parsedBody);
    response.writeHead(answered.status, Object.fromEntries(answered.headers));
    if (answered.body === null) response.end();
    else
      Readable.fromWeb(answered.body as never)
        .on('error', () => response.destroy())
        .pipe(response);
  }

  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => void server.listen(port, '127.0.0.1', resolve));
  const suspend = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    tools: known,
    calls,
    keys,
    headers: () => latest,
    methods,
    failCalls: (count) => void (failing = count),
    suspend,
    resume: () => listen(port),
    async close() {
      await modern.close();
      await Promise.all([...sessions.values()].map((session) => session.close()));
      await suspend();
    },
  };
}

async function toRequest(incoming: IncomingMessage): Promise<{ request: Request; parsedBody: unknown }> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString();
  const headers = Object.entries(incoming.headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : [],
  );
  const request = new Request(`http://${incoming.headers.host}${incoming.url}`, {
    method: incoming.method ?? 'GET',
    headers,
    ...(body === '' ? {} : { body }),
  });
  return { request, parsedBody: body === '' ? undefined : (JSON.parse(body) as unknown) };
}
