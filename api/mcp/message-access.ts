import type { Caller } from '../../src/access/caller';
import type { Scope } from '../../src/contracts/http/access';
import type { McpPart } from '../../src/settings/mcp';
import { SEARCH_MEMORIES } from './memory-tool';
import { readMemoriesUri } from './resource-uris';
import { checkAccess } from '../http/access';

/** The methods that need more than the right to read. Answering an approval and stopping a run need what starting one does. */
const SCOPES: ReadonlyMap<unknown, Scope> = new Map([
  ['tools/call', 'run'],
  ['tasks/update', 'run'],
  ['tasks/cancel', 'run'],
]);

interface Message {
  readonly method?: unknown;
  readonly params?: { readonly name?: unknown; readonly uri?: unknown } | null;
}

/**
 * Checks that a caller may send these messages, before any of them is handled.
 * @param body a message or, as old clients send them, a list
 * @throws HoldfastError `SCOPE_MISSING`
 */
export function checkMessageAccess(body: unknown, caller: Caller, offered: ReadonlySet<McpPart>): void {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  for (const message of messages) {
    const concernsMemory = offered.has('memory') && readsMemories(message);
    checkAccess(caller, { access: concernsMemory ? 'memory' : scopeOf(message) });
  }
}

function scopeOf(message: unknown): Scope {
  if (typeof message !== 'object' || message === null) return 'read';
  return SCOPES.get((message as Message).method) ?? 'read';
}

/** Whether a message reads memories, by the tool or by the resource, which need the same right as over HTTP. */
function readsMemories(message: unknown): boolean {
  if (typeof message !== 'object' || message === null) return false;
  const { method, params } = message as Message;
  if (method === 'tools/call') return params?.name === SEARCH_MEMORIES;
  const uri = method === 'resources/read' ? params?.uri : undefined;
  return typeof uri === 'string' && readMemoriesUri(uri) !== undefined;
}
