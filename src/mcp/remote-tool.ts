import type { Tool } from '@modelcontextprotocol/client';
import { computeDigest } from '../base/digest';
import type { JsonSchema, RemoteImplementation, ToolAnnotations } from '../contracts/http/tools';
import type { ToolRegistration } from '../tools/registry';
import { withNumericSchemas } from '../sandbox/numeric-bounds';
import { registryName } from './tool-names';
import { cutText } from '../base/text/well-formed';

/** A tool as its server lists it, as far as the service uses it. */
export interface RemoteTool {
  /** Its name at the server. */
  readonly tool: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations?: ToolAnnotations;
  /** Of all of the above. A definition with another digest has to be confirmed. */
  readonly digest: string;
}

/** How the tools of a server are registered. */
export interface RegistrationRules {
  readonly toolTimeoutMs?: number | undefined;
  readonly approval: 'planned' | 'always' | 'never';
}

/** The maximum number of characters of a description in the registry. */
const MAX_DESCRIPTION = 4_000;

/** Reads a listed tool. An absent hint counts as the protocol says: the tool may change something. Pure. */
export function readTool({
  name: tool,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
}: Tool): RemoteTool {
  const { readOnlyHint, destructiveHint } = annotations ?? {};
  const marks: ToolAnnotations = {
    ...(readOnlyHint === true ? { readOnly: true } : {}),
    ...(destructiveHint === true && readOnlyHint !== true ? { destructive: true } : {}),
  };
  const definition = withNumericSchemas({
    tool,
    description: description ?? title ?? '',
    inputSchema: { ...inputSchema },
    ...(outputSchema === undefined ? {} : { outputSchema: { ...outputSchema } }),
    ...(Object.keys(marks).length === 0 ? {} : { annotations: marks }),
  });
  return { ...definition, digest: computeDigest(definition) };
}

/** Builds the registration of a tool. Pure. */
export function toRegistration(
  server: string,
  remote: RemoteTool,
  rules: RegistrationRules,
): ToolRegistration {
  const { tool, description, inputSchema, outputSchema, annotations, digest } = remote;
  const implementation: RemoteImplementation = {
    kind: 'mcp',
    server,
    tool,
    digest,
    ...(rules.toolTimeoutMs === undefined ? {} : { timeoutMs: rules.toolTimeoutMs }),
    ...(rules.approval === 'never' ? { trusted: true } : {}),
  };
  return {
    name: registryName(server, tool),
    description: cutText(description, MAX_DESCRIPTION),
    implementation,
    inputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(rules.approval === 'always' ? { requiresApproval: true } : {}),
  };
}
