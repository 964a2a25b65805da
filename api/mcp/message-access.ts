import type { Caller } from '../../src/access/caller';
import type { Scope } from '../../src/contracts/http/access';
import { checkAccess } from '../http/access';

/** The methods that need more than the right to read. Answering an approval and stopping a run need what starting one does. */
const SCOPES: ReadonlyMap<unknown, Scope> = new Map([
  ['tools/call', 'run'],
  ['tasks/update', 'run'],
  ['tasks/cancel', 'run'],
]);

interface Message {
  readonly method?: unknown;
}

/**
 * Checks that a caller may send these messages, before any of them is handled.
 * @param body a message or, as old clients send them, a list
 * @throws HoldfastError `SCOPE_MISSING`
 */
export function checkMessageAccess(body: unknown, caller: Caller): void {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  for (const message of messages) checkAccess(caller, { access: scopeOf(message) });
}

function scopeOf(message: unknown): Scope {
  if (typeof message !== 'object' || message === null) return 'read';
  return SCOPES.get((message as Message).method) ?? 'read';
}
