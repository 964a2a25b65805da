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
  /** The maximum of one caller, where callers are authenticated. */
  readonly maxOfCaller?: number;
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
const MAX_OF_CALLER = 50;
const IDLE_MS = 1_800_000;
const NOT_FOUND = -32_001;

export function createSessions(
  build: McpServerFactory,
  { max = MAX_SESSIONS, maxOfCaller = MAX_OF_CALLER, idleMs = IDLE_MS, now = Date.now }: SessionOptions = {},
): Sessions {
  const sessions = new Map<string, Session>();
  const answerWithoutSession = legacyStatelessFallback(build);

  /**
   * Ends the sessions that are idle for too long, and for one more session of a caller as many of its own idle ones as needed:
   * no caller ends the sessions of another.
   * @returns false where there is no room
   */
  function makeRoom(owner: string, maxOfOwner: number): boolean {
    const idle = [...sessions]
      .filter(([, { open }]) => open === 0)
      .sort(([, a], [, b]) => a.usedAt - b.usedAt);
    let own = [...sessions.values()].filter((session) => session.owner === owner).length;
    for (const [id, session] of idle) {
      const isOwn = session.owner === owner;
      const isNeeded = isOwn && (own >= maxOfOwner || sessions.size >= max);
      if (now() - session.usedAt < idleMs && !isNeeded) continue;
      sessions.delete(id);
      if (isOwn) own -= 1;
      void session.transport.close();
    }
    return sessions.size < max && own < maxOfOwner;
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
      const maxOfOwner = caller.id === undefined ? max : maxOfCaller;
      if (begins && !makeRoom(owner, maxOfOwner)) return refuse(503, 'There are too many sessions');
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
