import {
  CLIENT_CAPABILITIES_META_KEY,
  type ElicitRequest,
  inputRequired,
  type ServerContext,
} from '@modelcontextprotocol/server';

type Properties = Parameters<typeof inputRequired.elicit>[0];

/** A form that asks the client's user. @param properties the schemas of its fields */
export function askFor(
  message: string,
  properties: Record<string, { type: 'string' | 'boolean' }>,
): ElicitRequest {
  const required = Object.keys(properties);
  const form = { mode: 'form', message, requestedSchema: { type: 'object', properties, required } };
  return inputRequired.elicit(form as Properties) as ElicitRequest;
}

/** What the client answered so far, by the key of the question. */
export function responsesOf({ mcpReq }: ServerContext): Readonly<Record<string, unknown>> {
  return mcpReq.inputResponses ?? {};
}

/** What the client of a request of 2026-07-28 declared that it can do. */
export function capabilitiesOf({ mcpReq }: ServerContext): Readonly<Record<string, unknown>> {
  const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  return (envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? {}) as Readonly<Record<string, unknown>>;
}
