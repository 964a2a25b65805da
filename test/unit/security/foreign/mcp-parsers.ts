import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { HoldfastError } from '../../../../src/base/errors';
import { createConnect, type Connect } from '../../../../packages/mcp/client/connect';
import { describeRemoteFailure } from '../../../../packages/mcp/client/failures';
import { listTools } from '../../../../packages/mcp/client/list-tools';
import type { Parser } from './parser';

const never = new AbortController().signal;
const ACCESS = { command: 'none', args: [], env: {} };
const CAPABILITIES = { tools: { listChanged: false } };
/** A message that is no response leaves its request unanswered. Milliseconds. */
const LIMIT_MS = 100;
/** What the revision of 2026 adds to results. */
const CACHED = { resultType: 'complete', ttlMs: 1, cacheScope: 'private' };
const SERVER = { name: 'shop', version: '1.0.0' };

const INITIALIZED = { protocolVersion: '2025-11-25', capabilities: CAPABILITIES, serverInfo: SERVER };
const LISTED = {
  tools: [
    {
      name: 'find',
      description: 'Finds',
      inputSchema: { type: 'object', properties: { a: { type: 'string', enum: ['b'] } }, required: ['a'] },
      outputSchema: { type: 'object', properties: { a: { type: 'string' } } },
      annotations: { readOnlyHint: true },
      _meta: { a: 1 },
    },
  ],
  nextCursor: undefined,
  _meta: { a: 1 },
};
const CALLED = {
  content: [{ type: 'text', text: 'a', annotations: { priority: 1 } }],
  structuredContent: { a: [1] },
  isError: false,
  _meta: { a: { b: 1 } },
};

/** A server whose messages arrive as values, as those of all transports do. */
class ScriptedTransport implements Transport {
  onmessage?: NonNullable<Transport['onmessage']>;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #script: (method: string) => readonly object[];

  constructor(script: (method: string) => readonly object[]) {
    this.#script = script;
  }

  start = (): Promise<void> => Promise.resolve();

  send = (message: JSONRPCMessage): Promise<void> => {
    if (!('method' in message) || !('id' in message)) return Promise.resolve();
    for (const part of this.#script(message.method)) {
      try {
        this.onmessage?.({ jsonrpc: '2.0', id: message.id, ...part } as JSONRPCMessage);
      } catch (error) {
        this.onerror?.(error as Error);
      }
    }
    return Promise.resolve();
  };

  close = (): Promise<void> => {
    this.onclose?.();
    return Promise.resolve();
  };
}

/** Connects to a server of the 2025 protocol, of which one answer is given. */
function connectTo(given: Readonly<Record<string, readonly object[]>>): Connect {
  const honest: Readonly<Record<string, readonly object[]>> = {
    'server/discover': [{ error: { code: -32_601, message: 'unknown' } }],
    initialize: [{ result: INITIALIZED }],
    'tools/list': [{ result: { tools: [], ...CACHED } }],
    'tools/call': [{ result: { content: [] } }],
  };
  const transport = new ScriptedTransport((method) => given[method] ?? honest[method] ?? []);
  const none = (): never => {
    throw new Error('no requests here');
  };
  return createConnect(
    { of: () => none, close: () => Promise.resolve() },
    { open: () => Promise.resolve({ transport, end: () => Promise.resolve() }) },
  );
}

const list = async (given: Readonly<Record<string, readonly object[]>>): Promise<void> => {
  const { skipped } = await listTools(connectTo(given), 'shop', ACCESS, never);
  if (skipped.length > 0) throw new HoldfastError('MCP_SERVER_UNAVAILABLE', skipped[0]!.reason);
};

async function call(given: readonly object[]): Promise<void> {
  try {
    const { client } = await connectTo({ 'tools/call': given })(ACCESS, {
      signal: never,
      timeoutMs: LIMIT_MS,
    });
    await client.callTool({ name: 'find', arguments: {} }, { signal: never, timeout: LIMIT_MS });
  } catch (error) {
    throw new HoldfastError('TOOL_EXECUTION_FAILED', describeRemoteFailure(error).description);
  }
}

const LISTING = { codes: ['MCP_SERVER_UNAVAILABLE'], takesValues: true } as const;
const CALL = { codes: ['TOOL_EXECUTION_FAILED'], takesValues: true } as const;
const notification = (params: unknown): object => ({
  id: undefined,
  method: 'notifications/progress',
  params,
});

export const MCP_PARSERS: readonly Parser[] = [
  {
    ...LISTING,
    name: 'the answer to initialize of an MCP server',
    sample: INITIALIZED,
    parse: ({ value }) => list({ initialize: [{ result: value }] }),
  },
  {
    ...LISTING,
    name: 'what an MCP server says of itself',
    sample: {
      supportedVersions: ['2026-07-28'],
      capabilities: CAPABILITIES,
      serverInfo: SERVER,
      instructions: '',
      ...CACHED,
    },
    parse: ({ value }) => list({ 'server/discover': [{ result: value }] }),
  },
  {
    ...LISTING,
    name: 'a list of tools',
    sample: LISTED,
    parse: ({ value }) => list({ 'tools/list': [{ result: value }] }),
  },
  {
    ...CALL,
    name: 'the result of a call of an MCP server',
    sample: CALLED,
    parse: ({ value }) => call([{ result: value }]),
  },
  {
    ...CALL,
    name: 'the error of a call of an MCP server',
    sample: { code: -32_000, message: 'no', data: { a: [1] } },
    isFailure: true,
    parse: ({ value }) => call([{ error: value }]),
  },
  {
    ...CALL,
    name: 'a notification of an MCP server',
    sample: { progressToken: 1, progress: 1, _meta: { a: 1 } },
    parse: ({ value }) => call([notification(value), { result: { content: [] } }]),
  },
];
