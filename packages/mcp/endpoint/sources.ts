import type {
  CallToolResult,
  InputRequiredResult,
  ServerContext,
  Tool,
  GetPromptResult,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
} from '@modelcontextprotocol/server';
import type { RequestContext } from '../../../api/http/route';
import type { Exchange } from './exchange';

export const JSON_TYPE = 'application/json';

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

/** Where prompts come from, such as the workflows of a tenant. */
export interface PromptSource {
  /** Lists the prompts, in any order. */
  list(): Promise<readonly Prompt[]>;
  /** @returns undefined if the source has no prompt of this name */
  get(
    name: string,
    inputs: Readonly<Record<string, string>>,
    exchange: ServerContext,
  ): Promise<GetPromptResult | InputRequiredResult | undefined>;
}

/** Where resources come from, such as the records of runs. */
export interface ResourceSource {
  readonly templates: readonly ResourceTemplateType[];
  /** Resources that are listed one by one; absent: the source has templates alone. */
  readonly resources?: readonly Resource[];
  /**
   * Reads a resource. @returns undefined for an address that is not one of this source
   * @throws ResourceNotFoundError if the caller has no such resource
   */
  read(uri: string, exchange: Exchange): Promise<ReadResourceResult['contents'] | undefined>;
}

/** The content of a resource that is a value of JSON. Pure. */
export function jsonContent(uri: string, value: unknown): ReadResourceResult['contents'] {
  return [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(value) }];
}
