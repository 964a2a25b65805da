import { z } from 'zod';

export const PARAMETER_TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'any'] as const;
export const parameterTypeSchema = z.enum(PARAMETER_TYPES);
export type ParameterType = z.infer<typeof parameterTypeSchema>;

/** One parameter of a tool, as far as rules and lists read its schema. Earlier builds stored tools in this form. */
export const toolParameterSchema = z.object({
  type: parameterTypeSchema,
  description: z.string().max(2_000),
  enum: z.array(z.string().max(200)).min(1).max(200).optional(),
  required: z.boolean(),
});
export type ToolParameter = z.infer<typeof toolParameterSchema>;
export type ToolParameters = Readonly<Record<string, ToolParameter>>;

/** A tool of a remote MCP server. Its address and headers are in the server's record, so that no history has them. */
export const remoteImplementationSchema = z.object({
  kind: z.literal('mcp'),
  /** Name of the server's record. */
  server: z.string(),
  /** The tool's name at the server. */
  tool: z.string(),
  /** Digest of the definition that was confirmed. A worker makes no call by another definition. */
  digest: z.string(),
  /** Time limit of each call, milliseconds; absent: that of the run alone. */
  timeoutMs: z.number().optional(),
  /** Present and true if planned calls need no approval, whatever the tool may change. */
  trusted: z.boolean().optional(),
});
export type RemoteImplementation = z.infer<typeof remoteImplementationSchema>;

/** A request to a server of the caller's, with templates over the arguments of a call. */
const httpImplementationSchema = z.object({
  kind: z.literal('http'),
  method: z.string(),
  url: z.string(),
  query: z.record(z.string(), z.unknown()).optional(),
  /** The headers as JSON, sealed: they may have credentials, and histories have the implementation. */
  sealedHeaders: z.string().optional(),
  body: z.unknown().optional(),
  /** The statuses that are a success, as `expect` of `api_call`; absent: 2xx. */
  expect: z.unknown().optional(),
  /** JSONPath of what becomes the result; absent: the body of the response. */
  output: z.string().optional(),
  /** Present and true if a request that may change something may be sent twice. */
  repeatable: z.boolean().optional(),
});
export type HttpImplementation = z.infer<typeof httpImplementationSchema>;

/** A tool that a worker of the operator's runs, in any language, on a task queue of the same namespace. */
const externalImplementationSchema = z.object({
  kind: z.literal('external'),
  as: z.enum(['activity', 'workflow']),
  taskQueue: z.string(),
  /** The type of the activity or workflow. */
  name: z.string(),
  /** The names of the parameters in their order, if the arguments are passed one by one; absent: as one object. */
  order: z.array(z.string()).optional(),
  /** Time limit of each call, milliseconds; absent: that of the run. */
  timeoutMs: z.number().optional(),
  /** An activity without a heartbeat for this long is lost, milliseconds; absent: that is not looked at. */
  heartbeatMs: z.number().optional(),
  /** Present and true if a call whose worker was lost, or that failed, may be made again. */
  repeatable: z.boolean().optional(),
});
export type ExternalImplementation = z.infer<typeof externalImplementationSchema>;

/**
 * How a tool is run. `builtin`: code of the service, found by name in the worker. `source`: JavaScript text that runs
 * in the sandbox. `mcp`: a tool of a remote server. `http`: a request to a server of the caller's. `external`: an activity or
 * workflow of another worker. `none`: a definition only; a planner may choose it, and running it is an execution error.
 */
export const toolImplementationSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('builtin') }),
  z.object({ kind: z.literal('source'), source: z.string() }),
  remoteImplementationSchema,
  httpImplementationSchema,
  externalImplementationSchema,
  z.object({ kind: z.literal('none') }),
]);
export type ToolImplementation = z.infer<typeof toolImplementationSchema>;

/** What a registration says of a tool, in the words of MCP's hints. */
export const toolAnnotationsSchema = z.strictObject({
  readOnly: z.boolean().optional().describe('It changes nothing'),
  destructive: z.boolean().optional().describe('It may change or remove what cannot be brought back'),
});
export type ToolAnnotations = Readonly<z.infer<typeof toolAnnotationsSchema>>;

/** A JSON Schema, 2020-12 if it names no other. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A tool as the registry keeps it. */
export interface StoredTool {
  readonly name: string;
  readonly description: string;
  /** The arguments that the tool takes, as they were declared. */
  readonly inputSchema: JsonSchema;
  /** Present if a remote tool declares its results. */
  readonly outputSchema?: JsonSchema;
  readonly implementation: ToolImplementation;
  /** Present and true if each call waits for a person's approval. */
  readonly requiresApproval?: boolean;
  readonly annotations?: ToolAnnotations;
  /** ISO 8601 */
  readonly registeredAt: string;
}

/** The final outcome of one tool call, as statistics count it. */
export interface ToolCallOutcome {
  /** Temporal run id of the run the call belongs to. */
  readonly runId: string;
  /**
   * Name of the call within its run. With `runId` it is the key of the count, so that a repeat counts nothing twice.
   */
  readonly step: string;
  readonly toolName: string;
  readonly success: boolean;
  /** Milliseconds. */
  readonly executionTime: number;
  /** ISO 8601 */
  readonly finishedAt: string;
}

export const toolStatisticsSchema = z.object({
  totalExecutions: z.number(),
  successfulExecutions: z.number(),
  failedExecutions: z.number(),
  /** Milliseconds; 0 before the first call. */
  averageExecutionTime: z.number(),
  mostUsedTool: z.string().nullable(),
  totalTools: z.number(),
  lastExecution: z.string().nullable(),
});
export type ToolStatistics = z.infer<typeof toolStatisticsSchema>;

const jsonSchema = z.record(z.string(), z.unknown());

/** A tool as the API shows it: each parameter by its type name, its schemas, and never the source. */
export const toolSchema = z.object({
  name: z.string(),
  description: z.string(),
  parameters: z.record(z.string(), z.string()),
  inputSchema: jsonSchema.describe('The arguments as JSON Schema, as they were declared'),
  outputSchema: jsonSchema.optional().describe('What a remote tool declares of its results'),
  requiresApproval: z.boolean().optional(),
  annotations: toolAnnotationsSchema.optional(),
});

/** A tool as it is described to language models. */
export const toolDefinitionSchema = z.object({
  name: z.string(),
  description: z.string(),
  parameters: z
    .looseObject({
      type: z.literal('object'),
      properties: z.record(z.string(), z.unknown()).readonly(),
      required: z.array(z.string()).readonly(),
    })
    .describe('The JSON Schema of the arguments; these three always stand in it'),
});

export const singleToolResultSchema = z.object({
  result: z.unknown(),
  /** Milliseconds. */
  executionTime: z.number(),
  toolName: z.string(),
  logs: z.array(z.string()).readonly().optional(),
});

export const multipleToolsResultSchema = z.object({
  results: z
    .array(z.object({ toolName: z.string(), success: z.boolean(), data: z.record(z.string(), z.unknown()) }))
    .readonly(),
  /** Milliseconds. */
  totalExecutionTime: z.number(),
  errors: z
    .array(z.object({ index: z.number(), toolName: z.string(), code: z.string(), error: z.string() }))
    .readonly(),
});
