import { type CallToolResult, type Client, isSpecType } from '@modelcontextprotocol/client';
import { isDeepStrictEqual } from 'node:util';
import { type HoldfastError, isHoldfastError, messageOf, toolError } from '../../../src/base/errors';
import type { StoredTool } from '../../../src/contracts/http/tools';
import type { SchemaOutcome } from '../../../src/sandbox/sandbox';
import type { SchemaCheck } from '../../../src/sandbox/schema-checks';
import { argumentsError, toPath } from '../../../src/tools/argument-problems';
import type { ToolRegistry } from '../../../src/tools/registry';
import type { RemoteCall, RemoteTools, ToolContext, ToolOutput } from '../../../src/tools/tool';
import type { Connect, ServerAccess } from './connect';
import { describeRemoteFailure, toLoginRequired } from './failures';
import type { McpServers } from './servers';
import { cutText } from '../../../src/base/text/well-formed';
import { tryToParseJson } from '../../../src/base/json/parse';
import { isJsonObject } from '../../../src/contracts/json';
import { CONTENT_MARK, PROBLEM_MARK, IDEMPOTENCY_META } from '../../../src/contracts/constants';

/** The first revision in which structured content need not be an object. Revisions are dates. */
const FIRST_WITH_ANY_STRUCTURE = '2026';

/** More is left out beside structured content, characters of JSON, so that a result never gets too long by it. */
const MAX_BESIDE = 1_048_576;

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
    const definition = await registry.get(toolName);
    const current = definition?.implementation;
    const isSame =
      current?.kind === 'mcp' &&
      current.server === server &&
      current.tool === tool &&
      current.digest === digest;
    if (definition !== undefined && isSame) return definition;
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
    const issues = outcome.problems.map(({ pointer, message }) => `result${toPath(pointer)} ${message}`);
    return issues.length === 0
      ? undefined
      : `the structured content is not as the tool declares it: ${issues.join('; ')}`.slice(0, MAX_MESSAGE);
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

type Content = CallToolResult['content'];

/**
 * Converts the result of a call that was made. It is the structured content; without that the text, or all of the content if
 * there is more than text. What came beside structured content is in the field `_content`, and a problem in `_problem`: the call
 * may have had its effect, so its caller gets what came, whatever form it has. Pure.
 * @param problem in which respect the result is not as the tool declares it; undefined: in none
 */
function toOutput({ content, structuredContent }: CallToolResult, problem?: string): ToolOutput {
  if (structuredContent === undefined) {
    if (problem !== undefined) return { value: { [PROBLEM_MARK]: problem, [CONTENT_MARK]: content } };
    const texts = textsOf(content);
    return { value: texts.length === content.length ? texts.join('\n') : { content } };
  }
  const beside = content.filter((part) => !repeats(part, structuredContent));
  const { length } = JSON.stringify(beside);
  const fits = length <= MAX_BESIDE;
  const leftOut = fits ? [] : [`content of ${length} characters beside it was left out`];
  const problems = [...(problem === undefined ? [] : [problem]), ...leftOut].join('; ');
  const marks = {
    ...(problems === '' ? {} : { [PROBLEM_MARK]: problems }),
    ...(fits && beside.length > 0 ? { [CONTENT_MARK]: beside } : {}),
  };
  if (Object.keys(marks).length === 0) return { value: structuredContent };
  const structured: unknown = structuredContent;
  const takesMarks =
    isJsonObject(structured) && !(CONTENT_MARK in structured) && !(PROBLEM_MARK in structured);
  return { value: takesMarks ? { ...structured, ...marks } : { structuredContent, ...marks } };
}

function textsOf(content: Content): string[] {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
}

/** Whether a part is the structured content once more as text, which the protocol asks servers to send. */
function repeats(part: Content[number], structured: unknown): boolean {
  if (part.type !== 'text') return false;
  return part.text === JSON.stringify(structured) || isDeepStrictEqual(tryToParseJson(part.text), structured);
}

/**
 * Rewrites what a result has in another form than the protocol's, before the client reads it: the client refuses a result with one
 * such part as a whole, although the call was made. A part that the client would refuse becomes its JSON as text.
 */
export function mendContent(client: Pick<Client, 'transport' | 'getNegotiatedProtocolVersion'>): void {
  const { transport } = client;
  const receive = transport?.onmessage;
  if (transport === undefined || receive === undefined) return;
  transport.onmessage = (message, extra) => {
    const { result } = message as { result?: unknown };
    if (isJsonObject(result)) mend(result, client.getNegotiatedProtocolVersion() ?? '');
    receive(message, extra);
  };
}

function mend(result: Record<string, unknown>, protocol: string): void {
  const { resultType = 'complete', content, structuredContent } = result;
  // Other types are no results of tools.
  if (resultType !== 'complete') return;
  const parts = listOf(content);
  const isFit = isJsonObject(structuredContent) || protocol >= FIRST_WITH_ANY_STRUCTURE;
  if (structuredContent === null || !isFit) delete result['structuredContent'];
  if (structuredContent !== undefined && structuredContent !== null && !isFit) parts.push(structuredContent);
  result['content'] = parts.map(toPart);
  if (result['isError'] === null) delete result['isError'];
}

function listOf(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? [...(value as readonly unknown[])] : [value];
}

function toPart(part: unknown): CallToolResult['content'][number] {
  if (isSpecType.ContentBlock(part)) return part;
  return { type: 'text', text: typeof part === 'string' ? part : JSON.stringify(part) };
}
