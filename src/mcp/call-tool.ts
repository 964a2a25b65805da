import type { CallToolResult } from '@modelcontextprotocol/client';
import { type HoldfastError, isHoldfastError, messageOf, toolError } from '../base/errors';
import type { StoredTool } from '../contracts/http/tools';
import { IDEMPOTENCY_META } from '../contracts/idempotency-meta';
import type { SchemaOutcome } from '../sandbox/sandbox';
import type { SchemaCheck } from '../sandbox/schema-checks';
import { argumentsError, toPath } from '../tools/argument-problems';
import type { ToolRegistry } from '../tools/registry';
import type { RemoteCall, RemoteTools, ToolContext } from '../tools/tool';
import type { Connect, ServerAccess } from './connect';
import { describeRemoteFailure, toLoginRequired } from './failures';
import { textsOf, toOutput } from './remote-output';
import { mendContent } from './result-content';
import type { McpServers } from './servers';
import { cutText } from '../base/text/well-formed';

export interface RemoteToolsPorts {
  readonly servers: Pick<McpServers, 'access'>;
  readonly registry: Pick<ToolRegistry, 'get'>;
  readonly connect: Connect;
  readonly check: SchemaCheck;
}

/** The client's own limit is longer than that of the call, so that the call reports the timeout. Milliseconds. */
const LIMIT_MARGIN_MS = 5_000;
const MAX_MESSAGE = 4_000;

export function createRemoteTools(ports: RemoteToolsPorts): RemoteTools {
  const { servers, registry, connect, check } = ports;

  /** @throws HoldfastError `TOOL_EXECUTION_FAILED` if the definition of the call is in use no more */
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
    { inputSchema, annotations }: StoredTool,
    access: ServerAccess,
    { signal, timeoutMs, sent, idempotencyKey }: ToolContext,
  ): Promise<CallToolResult> {
    const limit = timeoutMs + LIMIT_MARGIN_MS;
    const isRepeatable = annotations?.readOnly === true;
    if (sent?.earlier === true && !isRepeatable) {
      throw toolError(
        `The call of "${toolName}" was under way when its worker was stopped; not sent again, as it may have had its effect`,
      );
    }
    let isConnected = false;
    try {
      const { client, close } = await connect(access, { signal, timeoutMs: limit });
      isConnected = true;
      if (!isRepeatable) sent?.set(true);
      mendContent(client);
      try {
        // The client copies arguments to headers as the input schema says. It gets no output schema, because it would
        // check the result on the event loop.
        const definition = { name: tool, inputSchema } as never;
        return await client.callTool(
          {
            name: tool,
            arguments: { ...args },
            ...(idempotencyKey === undefined ? {} : { _meta: { [IDEMPOTENCY_META]: idempotencyKey } }),
          },
          { signal, timeout: limit, toolDefinition: definition },
        );
      } finally {
        // The answer does not wait for the end of a session at the server.
        void close();
      }
    } catch (error) {
      signal.throwIfAborted();
      const noLogin = toLoginRequired(server, error);
      if (noLogin !== undefined) {
        // A server that asks for a login has done nothing.
        if (isConnected && !isRepeatable) sent?.set(false);
        throw noLogin;
      }
      const { description, retryable, unsent } = describeRemoteFailure(error);
      // A request whose outcome is unknown is sent again only if it changes nothing.
      const mayRepeat = !isConnected || unsent || isRepeatable;
      if (mayRepeat && !isRepeatable) sent?.set(false);
      throw toolError(`The tool "${toolName}" of the server "${server}" failed: ${description}`, {
        retryable: retryable && mayRepeat,
        cause: error,
      });
    }
  }

  async function checkArguments(
    { args, implementation: { server } }: RemoteCall,
    { inputSchema }: StoredTool,
    signal: AbortSignal,
  ): Promise<void> {
    const { problems } = await check(authorOf(server), inputSchema, { value: args }, signal);
    if (problems.length > 0) throw argumentsError('args', problems);
  }

  /**
   * Finds in which respect a result is not as the tool declares it; undefined: in none. The call may have had its effect, so its
   * form alone never makes it fail.
   * @throws HoldfastError `TOOL_EXECUTION_FAILED` (retryable) if the result of a read-only tool could not be checked
   */
  async function findProblem(
    { implementation: { server } }: RemoteCall,
    { outputSchema, annotations }: StoredTool,
    { structuredContent }: CallToolResult,
    { signal, lastAttempt }: ToolContext,
  ): Promise<string | undefined> {
    if (outputSchema === undefined) return undefined;
    if (structuredContent === undefined)
      return 'the tool declares structured content, and its answer has none';
    let outcome: SchemaOutcome;
    try {
      outcome = await check(authorOf(server), outputSchema, { value: structuredContent }, signal);
    } catch (error) {
      signal.throwIfAborted();
      // Another attempt is one more call.
      const mayRepeat = isHoldfastError(error) && error.retryable && annotations?.readOnly === true;
      if (mayRepeat && !lastAttempt) throw error;
      return `the structured content could not be checked: ${messageOf(error)}`;
    }
    const said = outcome.problems.map(({ pointer, message }) => `result${toPath(pointer)} ${message}`);
    return said.length === 0
      ? undefined
      : `the structured content is not as the tool declares it: ${said.join('; ')}`.slice(0, MAX_MESSAGE);
  }

  return {
    async call(call, context) {
      const { signal } = context;
      const definition = await findDefinition(call);
      const { server } = call.implementation;
      await checkArguments(call, definition, signal);
      const access = await servers.access(server);
      if (access === undefined) throw toolError(`There is no MCP server named "${server}" any more`);
      const allowPrivate = context.allowPrivate === true;
      const { owner } = context;
      const result = await send(call, definition, { ...access, owner, allowPrivate }, context);
      if (result.isError === true) throw failureIn(call, result);
      return toOutput(result, await findProblem(call, definition, result, context));
    },
  };
}

function authorOf(server: string): string {
  return `the server "${server}"`;
}

/** Converts a result whose tool says that it failed: the error has the tool's own words. */
function failureIn({ toolName }: RemoteCall, { content }: CallToolResult): HoldfastError {
  return toolError(cutText(textsOf(content).join('\n'), MAX_MESSAGE) || `The tool "${toolName}" failed`);
}
