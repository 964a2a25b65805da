import type { ServerResponse } from 'node:http';
import { sendJson, startStubPeer, type PeerRequest } from './stub-peer';

/** What the server does with a message: `answer` as it should, and otherwise nothing more. */
export type Behaviour = 'answer' | 'hold' | 'trickle';

export interface SessionPeerOptions {
  /** The question for the revision, which servers of 2025 do not know. */
  readonly discover?: Behaviour;
  /** The notification after `initialize`. */
  readonly initialized?: Behaviour;
  /** The end of a session. */
  readonly end?: Behaviour;
  /** What it lists, well-formed or not. A test may change it at any time. */
  readonly tools?: readonly unknown[];
  /** The cursor at the end of that list; absent: it has none. */
  readonly nextCursor?: string | null;
  /** The answer to a call, well-formed or not. */
  readonly called?: object;
  /** Added to the answer to `initialize`. */
  readonly initialization?: object;
  /** Whether answers are event streams. */
  readonly streams?: boolean;
}

/** A server of the revision of 2025 with sessions, which may leave requests open. */
export interface SessionPeer {
  readonly url: string;
  /** The methods of the messages that arrived, or of the requests without one, in order. */
  methods(): string[];
  /** The number of requests without the end of an answer. */
  open(): number;
  close(): Promise<void>;
}

const TRICKLE_MS = 50;

export async function startSessionPeer(options: SessionPeerOptions = {}): Promise<SessionPeer> {
  const { discover = 'answer', initialized = 'answer', end = 'answer', tools = [], nextCursor } = options;
  const { called = { content: [] }, initialization, streams = false } = options;
  const send = streams ? sendStream : sendJson;
  const open = new Set<ServerResponse>();
  const peer = await startStubPeer((request, response) => {
    open.add(response);
    response.on('close', () => open.delete(response));
    const { method, id } = messageOf(request);
    const result = (value: object, headers = {}): void =>
      send(response, 200, { jsonrpc: '2.0', id, result: value }, headers);
    switch (method) {
      case 'server/discover':
        return behave(response, discover, () => response.writeHead(400).end());
      case 'initialize':
        return result(
          {
            protocolVersion: '2025-11-25',
            capabilities: { tools: {} },
            serverInfo: { name: 'peer', version: '1.0.0' },
            ...initialization,
          },
          { 'mcp-session-id': 'one' },
        );
      case 'notifications/initialized':
        return behave(response, initialized, () => response.writeHead(202).end());
      case 'GET':
        // The stream of the session has no event and no end.
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
        return;
      case 'DELETE':
        return behave(response, end, () => response.writeHead(200).end());
      case 'tools/call':
        return result(called);
      default:
        return result({ tools, nextCursor });
    }
  });
  return {
    url: `${peer.url}/mcp`,
    methods: () => peer.requests.map((request) => messageOf(request).method),
    open: () => open.size,
    close: () => peer.close(),
  };
}

const sendStream: typeof sendJson = (response, status, value, headers) => {
  response.writeHead(status, { 'content-type': 'text/event-stream', ...headers });
  response.end(`event: message\ndata: ${JSON.stringify(value)}\n\n`);
};

function messageOf({ method, body }: PeerRequest): { readonly method: string; readonly id?: unknown } {
  return body === '' ? { method } : (JSON.parse(body) as { method: string; id?: unknown });
}

function behave(response: ServerResponse, behaviour: Behaviour, answer: () => void): void {
  if (behaviour === 'answer') return answer();
  if (behaviour === 'hold') return;
  response.writeHead(200, { 'content-type': 'text/plain' });
  const timer = setInterval(() => response.write('.'), TRICKLE_MS);
  response.on('close', () => clearInterval(timer));
}
