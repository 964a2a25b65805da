import { codeOf, HoldfastError, isHoldfastError, isStackOverflow, messageOf } from '../../base/errors';
import { storeUnavailable } from '../until-available';

const DATABASE_UNAVAILABLE = 'Neo.TransientError.General.DatabaseUnavailable';

/** Errors of a transaction that another writer overtook: what it had read has changed meanwhile. */
const LOST_RACES = new Set([
  // Another writer deleted the entity between the search for it and the lock.
  'Neo.ClientError.Statement.EntityNotFound',
  // Another writer created the entity between the search for it and its creation.
  'Neo.ClientError.Schema.ConstraintValidationFailed',
  // The server evaluates `IF NOT EXISTS` before it locks the schema.
  'Neo.ClientError.Schema.ConstraintAlreadyExists',
  'Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists',
  'Neo.ClientError.Schema.IndexAlreadyExists',
]);

/** The transaction has to start again, because another one changed what it was about to lock. */
export class OvertakenError extends Error {
  override readonly name = 'OvertakenError';

  constructor() {
    super('Another transaction changed what this one was about to lock');
  }
}

/** The server ended the transaction at its time limit, while it worked or while it waited for a lock. */
const TIMED_OUT = /^Neo\.ClientError\.Transaction\.(TransactionTimedOut|LockClientStopped)/;

/** True if the transaction was rolled back and a repeat may succeed: after a deadlock or a lost race. */
export function isTransient(error: unknown): boolean {
  if (error instanceof OvertakenError) return true;
  const code = codeOf(error);
  return (code.startsWith('Neo.TransientError.') && code !== DATABASE_UNAVAILABLE) || LOST_RACES.has(code);
}

/** True if the server or the network failed, so that another member of the cluster may answer next. */
function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  // These are the driver's own errors. `N/A` marks those without a code: an exhausted pool, or a server that is not Neo4j.
  return (
    code === 'ServiceUnavailable' ||
    code === 'SessionExpired' ||
    code === 'N/A' ||
    code === DATABASE_UNAVAILABLE
  );
}

/**
 * Turns a failure of the store into `STORE_UNAVAILABLE` (retryable) and a setting that the server refuses into `CONFIGURATION`.
 * Returns any other error, which is a mistake in the code, unchanged. Messages do not contain the address; the error's cause
 * does, for the log.
 */
export function toStoreError(error: unknown, uri: string): unknown {
  if (isHoldfastError(error)) return error;
  const code = codeOf(error);
  const setting = describeRefusedSetting(code);
  if (setting !== undefined) {
    return new HoldfastError('CONFIGURATION', setting, {
      cause: new Error(`${uri}: ${messageOf(error)} (${code})`, { cause: error }),
    });
  }
  const message = describeFailure(error);
  return message === undefined ? error : storeUnavailable(message, uri, error);
}

function describeRefusedSetting(code: string): string | undefined {
  if (code === 'Neo.ClientError.Security.AuthorizationExpired') return undefined;
  if (code === 'Neo.ClientError.Security.Forbidden')
    return 'The user of NEO4J_USERNAME may not do in Neo4j what the store has to';
  if (code.startsWith('Neo.ClientError.Security.'))
    return 'Neo4j refuses the user or the password: check NEO4J_USERNAME and NEO4J_PASSWORD';
  if (code === 'Neo.ClientError.Database.DatabaseNotFound')
    return 'Neo4j has no database of this name: check NEO4J_DATABASE';
  return undefined;
}

function describeFailure(error: unknown): string | undefined {
  const code = codeOf(error);
  // The driver reads values recursively, and a server that a caller named may send any.
  if (isStackOverflow(error)) return 'The data store sent a value that is nested too deeply';
  if (isConnectionLost(error)) return 'The data store cannot be reached';
  if (isTransient(error) || TIMED_OUT.test(code)) return 'The data store is busy';
  // The server's other failures need an operator: a full disk, a damaged file, a cluster without a leader.
  if (/^Neo\.(DatabaseError|ClientError\.(Cluster|Security|General\.\w*ReadOnly))/.test(code))
    return 'The data store cannot be used';
  return undefined;
}
