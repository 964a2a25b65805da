import type { CallToolResult } from '@modelcontextprotocol/client';
import { toolError } from '../base/errors';
import type { StoredTool } from '../contracts/http/tools';
import type { ToolRegistry } from '../tools/registry';
import type { RemoteCall, RemoteTools, ToolContext, ToolOutput } from '../tools/tool';
import type { Connect, ServerAccess } from './connect';
import { describeRemoteFailure } from './failures';
import { SchemaChecks } from './schema-checks';
import type { McpServers } from './servers';

export interface RemoteToolsPorts {
  readonly servers: Pick<McpServers, 'access'>;
  readonly registry: Pick<ToolRegistry, 'get'>;
  readonly connect: Connect;
}

/** The client's own limit is longer than that of the call, so that the call reports the timeout. Milliseconds. */
const LIMIT_MARGIN_MS = 5_000;
const MAX_MESSAGE = 4_000;

export function createRemoteTools({ servers, registry, connect }: RemoteToolsPorts): RemoteTools {
  const checks = new SchemaChecks();

  /** @throws HoldfastError `TOOL_EXECUTION_FAILED` where the definition of the call is in use no more */
  async function findDefinition({ toolName, implementation }: RemoteCall): Promise<StoredTool> {
    const { server, tool, digest } = implementation;
    const found = await registry.get(toolName);
    const current = found?.implementation;
    const isSame =
      current?.kind === 'mcp' &&
      current.server === server &&
      current.tool === tool &&
      current.digest === digest;
    if (found !== undefined && isSame) return found;
    throw toolError(
      `The tool "${toolName}" was changed or removed after the call was prepared; call it again`,
    );
  }

  async function send(
    { toolName, args, implementation: { server, tool } }: RemoteCall,
    { inputSchema = { type: 'object' }, outputSchema, annotations }: StoredTool,
    access: ServerAccess,
    { signal, timeoutMs }: ToolContext,
  ): Promise<CallToolResult> {
    const limit = timeoutMs + LIMIT_MARGIN_MS;
    let isConnected = false;
    try {
      const { client, close } = await connect(access, { signal, timeoutMs: limit });
      isConnected = true;
      try {
        const definition = {
          name: tool,
          inputSchema,
          ...(outputSchema === undefined ? {} : { outputSchema }),
        };
        return await client.callTool(
          { name: tool, arguments: { ...args } },
          { signal, timeout: limit, toolDefinition: definition as never },
        );
      } finally {
        // The answer does not wait for the end of a session at the server.
        void close();
      }
    } catch (error) {
      signal.throwIfAborted();
      const { description, retryable, unsent } = describeRemoteFailure(error);
      // A request whose outcome is unknown is sent again only where it changes nothing.
      const mayRepeat = !isConnected || unsent || annotations?.readOnly === true;
      throw toolError(`The tool "${toolName}" of the server "${server}" failed: ${description}`, {
        retryable: retryable && mayRepeat,
        cause: error,
      });
    }
  }

  return {
    async call(call, context) {
      const definition = await findDefinition(call);
      const { server, digest } = call.implementation;
      if (definition.inputSchema !== undefined) checks.check(digest, definition.inputSchema, call.args);
      const access = await servers.access(server);
      if (access === undefined) throw toolError(`There is no MCP server named "${server}" any more`);
      const allowPrivate = context.allowPrivate === true;
      return toOutput(call.toolName, await send(call, definition, { ...access, allowPrivate }, context));
    },
  };
}

/**
 * Converts a result: its structured content, or the text where it has nothing else, or else all of its content.
 * @throws HoldfastError `TOOL_EXECUTION_FAILED` with the tool's own words, where it says that it failed
 */
function toOutput(toolName: string, { content, structuredContent, isError }: CallToolResult): ToolOutput {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const text = texts.join('\n');
  if (isError === true) throw toolError(text.slice(0, MAX_MESSAGE) || `The tool "${toolName}" failed`);
  if (structuredContent !== undefined) return { value: structuredContent };
  return { value: texts.length === content.length ? text : { content } };
}
