import type { Tool } from '@modelcontextprotocol/client';
import type { JsonSchema, RemoteImplementation, ToolAnnotations } from '../../../src/contracts/http/tools';
import type { ToolRegistration } from '../../../src/tools/registry';
import { withNumericSchemas } from '../../../src/sandbox/numeric-bounds';
import { registryName } from './tool-names';
import { cutText } from '../../../src/base/text/well-formed';
import { computeDigest } from '../../../src/base/ids';

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
    outputSchema: outputSchema && { ...outputSchema },
    annotations: Object.keys(marks).length === 0 ? undefined : marks,
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
    timeoutMs: rules.toolTimeoutMs,
    trusted: rules.approval === 'never' ? true : undefined,
  };
  return {
    name: registryName(server, tool),
    description: cutText(description, MAX_DESCRIPTION),
    implementation,
    inputSchema,
    outputSchema,
    annotations,
    requiresApproval: rules.approval === 'always' ? true : undefined,
  };
}
