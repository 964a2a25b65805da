import { type CallToolResult, type Client, isSpecType } from '@modelcontextprotocol/client';
import { isJsonObject } from '../contracts/json';

/** The first revision in which structured content need not be an object. Revisions are dates. */
const FIRST_WITH_ANY_STRUCTURE = '2026';

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
