import { Pool } from 'undici';
import { postJson } from '../post-json';

const REVISION = '2026-07-28';

/** The requests of a client of the revision 2026-07-28 that takes no tasks. */
export interface McpRequests {
  /** @throws Error where the call does not result in the output of its tool */
  callTool(name: string, args: object): Promise<void>;
  /** Lists one page. @returns the cursor of the next one */
  listTools(cursor?: string): Promise<string | undefined>;
  close(): Promise<void>;
}

interface Answer {
  readonly result?: {
    readonly isError?: boolean;
    readonly structuredContent?: unknown;
    readonly tools?: unknown;
    readonly nextCursor?: string;
  };
}

/** Creates the requests to a service. */
export function createMcpRequests(url: string): McpRequests {
  const pool = new Pool(url, { connections: 32 });

  async function send(method: string, params: object, name?: string): Promise<NonNullable<Answer['result']>> {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': REVISION,
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const headers = {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': REVISION,
      'mcp-method': method,
      ...(name === undefined ? {} : { 'mcp-name': name }),
    };
    const message = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } };
    const answer = (await postJson(pool, '/mcp', message, { headers })) as Answer;
    if (answer.result === undefined) throw new Error(`${method} was answered with ${JSON.stringify(answer)}`);
    return answer.result;
  }

  return {
    async callTool(name, args) {
      const result = await send('tools/call', { name, arguments: args }, name);
      if (result.structuredContent === undefined)
        throw new Error(`${name} failed: ${JSON.stringify(result)}`);
    },
    async listTools(cursor) {
      const { tools, nextCursor } = await send('tools/list', cursor === undefined ? {} : { cursor });
      if (tools === undefined) throw new Error('a page has no tools');
      return nextCursor;
    },
    close: () => pool.close(),
  };
}
