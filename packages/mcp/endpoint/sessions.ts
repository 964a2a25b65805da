import { randomUUID } from 'node:crypto';
import {
  type HandleRequestOptions,
  isInitializeRequest,
  legacyStatelessFallback,
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Caller } from '../../../src/access/caller';

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
  /** The maximum of one caller, if callers are authenticated. */
  readonly maxOfCaller?: number;
  /** The maximum of all callers together, if they are not authenticated. */
  readonly maxUnnamed?: number;
  /** How long a session without requests is kept, milliseconds. */
  readonly idleMs?: number;
  /** Epoch milliseconds. */
  readonly now?: () => number;
}

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly owner: string;
  readonly tenant: string;
  /** The number of responses that are not closed yet. */
  open: number;
  usedAt: number;
}

const MAX_SESSIONS = 1_000;
const MAX_OF_CALLER = 50;
const MAX_UNNAMED = 200;
const IDLE_MS = 1_800_000;
const NOT_FOUND = -32_001;

export function createSessions(build: McpServerFactory, options: SessionOptions = {}): Sessions {
  const { max = MAX_SESSIONS, maxOfCaller = MAX_OF_CALLER, maxUnnamed = MAX_UNNAMED } = options;
  const { idleMs = IDLE_MS, now = Date.now } = options;
  const sessions = new Map<string, Session>();
  const answerWithoutSession = legacyStatelessFallback(build);

  /**
   * Ends the sessions that are idle for too long, and for one more session of a caller as many idle ones of it as needed. If all
   * are in use, those of the tenant that has the most come before its own: no caller ends the sessions of another of its tenant.
   * @returns false if there is no room
   */
  function makeRoom(owner: string, tenant: string, maxOfOwner: number): boolean {
    for (const [id, session] of sessions)
      if (session.open === 0 && now() - session.usedAt >= idleMs) end(id, session);
    const isFull = (): boolean => sessions.size >= max;
    const hasTooMany = (): boolean =>
      [...sessions.values()].filter((session) => session.owner === owner).length >= maxOfOwner;
    while (hasTooMany()) if (!endOneIdleOf(owner)) return false;
    while (isFull() && endOneOfLargest(tenant));
    while (isFull() && endOneIdleOf(owner));
    return !isFull();
  }

  /** Ends the session of a caller that is idle for longest. @returns false if none is idle */
  function endOneIdleOf(owner: string): boolean {
    const [oldest] = [...sessions]
      .filter(([, session]) => session.owner === owner && session.open === 0)
      .sort(byUse);
    if (oldest !== undefined) end(...oldest);
    return oldest !== undefined;
  }

  /**
   * Ends a session of the tenant that has the most, an idle one if there is one, so that no tenant takes the room of the others.
   * @returns false if none was ended, because the tenant that needs the room would then have more than that one
   */
  function endOneOfLargest(tenant: string): boolean {
    const counts = new Map<string, number>();
    for (const session of sessions.values())
      counts.set(session.tenant, (counts.get(session.tenant) ?? 0) + 1);
    const [largest, most] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a), [tenant, 0]);
    if (most < (counts.get(tenant) ?? 0) + 2) return false;
    const [oldest] = [...sessions]
      .filter(([, session]) => session.tenant === largest)
      .sort((a, b) => Number(a[1].open > 0) - Number(b[1].open > 0) || byUse(a, b));
    if (oldest !== undefined) end(...oldest);
    return oldest !== undefined;
  }

  function end(id: string, { transport }: Session): void {
    sessions.delete(id);
    void transport.close();
  }

  async function begin(owner: string, tenant: string): Promise<Session> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, session),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    const session: Session = { transport, owner, tenant, open: 0, usedAt: now() };
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
      const maxOfOwner = caller.id === undefined ? maxUnnamed : maxOfCaller;
      if (begins && !makeRoom(owner, caller.tenant, maxOfOwner))
        return refuse(503, 'There are too many sessions');
      const session = id === null ? await begin(owner, caller.tenant) : sessions.get(id);
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

function byUse([, a]: [string, Session], [, b]: [string, Session]): number {
  return a.usedAt - b.usedAt;
}

function refuse(status: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code: NOT_FOUND, message }, id: null }, { status });
}
