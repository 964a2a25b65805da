import {
  CLIENT_CAPABILITIES_META_KEY,
  type AuthInfo,
  type ClientCapabilities,
  ProtocolError,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type NoteFailure, toHoldfastError } from '../../../api/http/note-failures';
import type { RequestContext } from '../../../api/http/route';
import { toProtocolError } from './protocol-errors';
import type { Caller } from '../../../src/access/caller';
import { validationError } from '../../../src/base/errors';
import { otherUserDenied } from '../../../api/http/parse-request';

/** The identifier of the extension for tasks. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** `modern`: revisions from 2026-07-28, without sessions. `legacy`: those up to 2025-11-25. */
export type Era = 'modern' | 'legacy';

/** One request of a client. */
export interface Exchange {
  readonly mcp: ServerContext;
  readonly context: RequestContext;
  readonly era: Era;
  /** Whether the client takes a task instead of a result. */
  readonly takesTasks: boolean;
  /** Whether the client can ask its user to fill in a form. */
  readonly elicits: boolean;
}

const capabilitiesSchema = z.looseObject({
  extensions: z.record(z.string(), z.unknown()).optional(),
  elicitation: z.looseObject({}).optional(),
});

/** Packs the context of an HTTP request, so that the handlers of its messages get it. */
export function toAuthInfo(context: RequestContext): AuthInfo {
  const { caller } = context;
  return { token: '', clientId: caller.id ?? '', scopes: [...caller.scopes], extra: { context } };
}

/** Returns the context of the HTTP request of a message. */
export function contextOf({ http }: ServerContext): RequestContext {
  return http?.authInfo?.extra?.['context'] as RequestContext;
}

/** Reads what is known of a request. @param initialized the capabilities with which its session began */
export function readExchange(
  mcp: ServerContext,
  era: Era,
  initialized: ClientCapabilities | undefined,
): Exchange {
  const envelope = mcp.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const declared = era === 'modern' ? envelope?.[CLIENT_CAPABILITIES_META_KEY] : initialized;
  const { extensions, elicitation } = capabilitiesSchema.safeParse(declared).data ?? {};
  return {
    mcp,
    context: contextOf(mcp),
    era,
    takesTasks: era === 'modern' && extensions?.[TASKS_EXTENSION] !== undefined,
    // A capability without a mode means forms.
    elicits:
      elicitation !== undefined && (elicitation['form'] !== undefined || elicitation['url'] === undefined),
  };
}

/** Handles a request, and notes its errors and converts them to those of the protocol. */
export async function handleExchange<T>(
  exchange: Exchange,
  handle: (exchange: Exchange) => T | Promise<T>,
  noteFailure: NoteFailure,
): Promise<T> {
  try {
    return await handle(exchange);
  } catch (thrown) {
    if (thrown instanceof ProtocolError) throw thrown;
    const error = toHoldfastError(thrown);
    const { logger, redactor } = exchange.context;
    noteFailure({ error, thrown, logger });
    throw toProtocolError(redactor.error(error));
  }
}

/** Runs the handler of a method for the exchange of a message. */
export type Handle = <T>(context: ServerContext, work: (exchange: Exchange) => T | Promise<T>) => Promise<T>;

/**
 * Chooses the user whom a call concerns: the user of the caller, otherwise the one that the call names.
 * @throws HoldfastError `ACCESS_DENIED` if a caller of one user names another; `VALIDATION` if no user is known
 */
export function chooseUser({ userId: ownUser }: Caller, named: unknown): string {
  if (ownUser !== undefined) {
    if (named === undefined || named === ownUser) return ownUser;
    throw otherUserDenied();
  }
  if (typeof named === 'string') return named;
  throw validationError('userId', 'userId is required, because the key or token belongs to no user');
}
