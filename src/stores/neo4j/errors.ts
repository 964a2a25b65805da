import { HoldfastError, isHoldfastError, messageOf } from '../../base/errors';
import { codeOf, storeUnavailable } from '../unavailable';

const DATABASE_AWAY = 'Neo.TransientError.General.DatabaseUnavailable';

/** Another writer was there first; what it found has changed meanwhile. */
const LOST_RACES = new Set([
  // Deleted between being found and being locked.
  'Neo.ClientError.Statement.EntityNotFound',
  // Made by another one between being looked for and being made.
  'Neo.ClientError.Schema.ConstraintValidationFailed',
  // `IF NOT EXISTS` looks before it locks.
  'Neo.ClientError.Schema.ConstraintAlreadyExists',
  'Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists',
  'Neo.ClientError.Schema.IndexAlreadyExists',
]);

/** The server ended the transaction at its time limit, while it worked or while it waited for a lock. */
const TIMED_OUT = /^Neo\.ClientError\.Transaction\.(TransactionTimedOut|LockClientStopped)/;

/** True when the server took the transaction back and the same again may pass: a deadlock, or a lost race. */
export function isWorthAnotherTry(error: unknown): boolean {
  const code = codeOf(error);
  return (code.startsWith('Neo.TransientError.') && code !== DATABASE_AWAY) || LOST_RACES.has(code);
}

/** True when the server, or the way to it, is at fault, and another one may answer next. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  // The driver's own errors; `N/A` are those without a code, such as an exhausted pool or a server that is no Neo4j.
  return (
    code === 'ServiceUnavailable' || code === 'SessionExpired' || code === 'N/A' || code === DATABASE_AWAY
  );
}

/**
 * A failure of the store as `STORE_UNAVAILABLE` (retryable), a setting that the server refuses as `CONFIGURATION`,
 * and any other error, a mistake in the code, as it came. Messages name no address; it is in the cause, for the log.
 */
export function toStoreError(error: unknown, uri: string): unknown {
  if (isHoldfastError(error)) return error;
  const code = codeOf(error);
  const refusal = refusedSetting(code);
  if (refusal !== undefined) {
    return new HoldfastError('CONFIGURATION', refusal, {
      cause: new Error(`${uri}: ${messageOf(error)} (${code})`, { cause: error }),
    });
  }
  const message = describe(error);
  return message === undefined ? error : storeUnavailable(message, uri, error);
}

function refusedSetting(code: string): string | undefined {
  if (code === 'Neo.ClientError.Security.AuthorizationExpired') return undefined;
  if (code === 'Neo.ClientError.Security.Forbidden')
    return 'The user of NEO4J_USERNAME may not do in Neo4j what the store has to';
  if (code.startsWith('Neo.ClientError.Security.'))
    return 'Neo4j refuses the user or the password: check NEO4J_USERNAME and NEO4J_PASSWORD';
  if (code === 'Neo.ClientError.Database.DatabaseNotFound')
    return 'Neo4j has no database of this name: check NEO4J_DATABASE';
  return undefined;
}

function describe(error: unknown): string | undefined {
  const code = codeOf(error);
  if (isConnectionLost(error)) return 'The data store cannot be reached';
  if (isWorthAnotherTry(error) || TIMED_OUT.test(code)) return 'The data store is busy';
  // What is left of the server's own failures needs an operator: a full disk, a damaged file, a follower alone.
  if (/^Neo\.(DatabaseError|ClientError\.(Cluster|Security|General\.\w*ReadOnly))/.test(code))
    return 'The data store cannot be used';
  return undefined;
}
