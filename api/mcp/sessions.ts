import { randomUUID } from 'node:crypto';
import {
  type HandleRequestOptions,
  isInitializeRequest,
  legacyStatelessFallback,
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Caller } from '../../src/access/caller';

/** The sessions of clients of the revisions up to 2025-11-25. They are in the memory of this process. */
export interface Sessions {
  /**
   * Answers a request of a session, or begins one. A session of another caller does not exist for the caller.
   * @param closed aborts when the response is closed
   */
  handle(
    request: Request,
    options: HandleRequestOptions,
    from: { readonly caller: Caller; readonly closed: AbortSignal },
  ): Promise<Response>;
  close(): Promise<void>;
}

export interface SessionOptions {
  readonly max?: number;
  /** How long a session without requests is kept, milliseconds. */
  readonly idleMs?: number;
  /** Epoch milliseconds. */
  readonly now?: () => number;
}

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly owner: string;
  /** The number of responses that are not closed yet. */
  open: number;
  usedAt: number;
}

const MAX_SESSIONS = 1_000;
const IDLE_MS = 1_800_000;
const NOT_FOUND = -32_001;

export function createSessions(
  build: McpServerFactory,
  { max = MAX_SESSIONS, idleMs = IDLE_MS, now = Date.now }: SessionOptions = {},
): Sessions {
  const sessions = new Map<string, Session>();
  const answerWithoutSession = legacyStatelessFallback(build);

  /** Ends the sessions that are idle for too long, and as many more as needed for one more. */
  function makeRoom(): boolean {
    const idle = [...sessions]
      .filter(([, { open }]) => open === 0)
      .sort(([, a], [, b]) => a.usedAt - b.usedAt);
    for (const [id, { transport, usedAt }] of idle) {
      if (now() - usedAt < idleMs && sessions.size < max) break;
      sessions.delete(id);
      void transport.close();
    }
    return sessions.size < max;
  }

  async function begin(owner: string): Promise<Session> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, session),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    const session: Session = { transport, owner, open: 0, usedAt: now() };
    const mcp = await build({ era: 'legacy' });
    await mcp.connect(transport);
    return session;
  }

  return {
    async handle(request, options, { caller, closed }) {
      const owner = JSON.stringify([caller.tenant, caller.id ?? null]);
      const id = request.headers.get('mcp-session-id');
      const begins = id === null && isInitializeRequest(options.parsedBody);
      if (id === null && !begins) return answerWithoutSession(request, options);
      if (begins && !makeRoom()) return refuse(503, 'There are too many sessions');
      const session = id === null ? await begin(owner) : sessions.get(id);
      if (session?.owner !== owner) return refuse(404, 'Session not found');
      session.open += 1;
      const leave = (): void => {
        session.open -= 1;
        session.usedAt = now();
      };
      if (closed.aborted) leave();
      else closed.addEventListener('abort', leave, { once: true });
      return session.transport.handleRequest(request, options);
    },
    async close() {
      const open = [...sessions.values()];
      sessions.clear();
      await Promise.all(open.map(({ transport }) => transport.close()));
    },
  };
}

function refuse(status: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code: NOT_FOUND, message }, id: null }, { status });
}
