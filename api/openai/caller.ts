import { computeDigest, newId } from '../../src/base/ids';
import { validationError } from '../../src/base/errors';
import type { RunOwner } from '../../src/contracts/runs/run-owner';
import { RUN_USER } from '../../src/secrets/pseudonyms';
import { otherUserDenied } from '../http/parse-request';
import type { OpenAiContext } from './ports';

/** The user of turns whose caller names none. Such turns neither read nor write memory. */
const NO_USER = 'openai-no-user';

/** The conversation that a request belongs to. */
export interface CallerSession {
  readonly userId: string;
  readonly sessionId: string;
  /** Whether the request names its user, so that the turn has the memory of that user. */
  readonly isNamed: boolean;
}

/**
 * Finds out whose request it is: the key's user, else the one that the request names.
 * @param body the parameters of the request; empty for one without a body
 * @returns undefined if it names none
 * @throws HoldfastError `ACCESS_DENIED` if the key is of another user
 */
export function readUser(
  body: Readonly<Record<string, unknown>>,
  { caller, header }: Pick<OpenAiContext, 'caller' | 'header'>,
): string | undefined {
  const named = [header('X-User-Id'), textOf(body, 'user'), textOf(body, 'safety_identifier')];
  const given = named.filter((user) => user !== undefined);
  const { userId } = caller;
  if (userId === undefined) return given[0] ?? header('X-OpenWebUI-User-Id');
  // Open WebUI names its own ids of users, whatever key it has.
  if (given.some((user) => user !== userId)) throw otherUserDenied();
  return userId;
}

/**
 * Names user and session of a request.
 * @param first what the conversation began with, by which it is known if no header names it
 */
export function sessionOf(
  userId: string | undefined,
  first: unknown,
  { header, idempotencyKey }: Pick<OpenAiContext, 'header' | 'idempotencyKey'>,
): CallerSession {
  // A repeat of a request under its key is the same request.
  const ownSession = idempotencyKey === undefined ? newId() : computeDigest(idempotencyKey);
  if (userId === undefined) return { userId: NO_USER, sessionId: ownSession, isNamed: false };
  const named = header('X-Session-Id') ?? header('X-OpenWebUI-Chat-Id');
  return { userId, sessionId: named ?? `chat-${computeDigest(first)}`, isNamed: true };
}

/** Whose runs a request may continue: those of the user that it names, of the caller's own ones. */
export function ownerOf(
  userId: string | undefined,
  { owner, services }: Pick<OpenAiContext, 'owner' | 'services'>,
): RunOwner {
  return userId === undefined ? owner : { ...owner, user: services.pseudonyms(RUN_USER, userId) };
}

function textOf(body: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = body[name];
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string') throw validationError(name, 'must be a string');
  return value;
}
