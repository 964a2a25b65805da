import type { CallToolResult, InputRequiredResult, ServerContext, Tool } from '@modelcontextprotocol/server';
import type { RequestContext } from '../http/route';

export type ToolArguments = Readonly<Record<string, unknown>>;

/** A tool as MCP clients see it. */
export interface McpTool {
  readonly definition: Tool;
  /** The workflow type of the runs that calls start; absent: calls start no runs. */
  readonly workflowType?: string;
  /** Whether only clients with the extension for tasks may call it. */
  readonly requiresTask?: boolean;
  /** Answers a call without a run, if that is possible. */
  answer?(
    args: ToolArguments,
    exchange: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult | undefined>;
  /**
   * Calls the tool. @returns the `data` that the response of the same run over HTTP has
   * @throws HoldfastError as the run or its start does
   */
  call(args: ToolArguments, context: RequestContext): Promise<unknown>;
}

/** Where tools come from, such as the registry of a tenant. */
export interface ToolSource {
  /** Lists the tools of a caller, in any order. */
  list(context: RequestContext): Promise<readonly Tool[]>;
  find(name: string, context: RequestContext): Promise<McpTool | undefined>;
}

/** Creates the source of tools that are the same for all callers. */
export function sourceOf(tools: readonly McpTool[]): ToolSource {
  return {
    list: () => Promise.resolve(tools.map(({ definition }) => definition)),
    find: (name) => Promise.resolve(tools.find(({ definition }) => definition.name === name)),
  };
}
