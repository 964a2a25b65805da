import { HoldfastError } from '../../../src/base/errors';
import { isTransient, toStoreError } from '../../../src/stores/neo4j/errors';

const URI = 'bolt://db.example.com:7687';

const failure = (code: string): Error => Object.assign(new Error('what the server said'), { code });

describe('an error of Neo4j', () => {
  it.each([
    ['ServiceUnavailable', 'The data store cannot be reached'],
    ['SessionExpired', 'The data store cannot be reached'],
    ['N/A', 'The data store cannot be reached'],
    ['Neo.TransientError.General.DatabaseUnavailable', 'The data store cannot be reached'],
    ['Neo.TransientError.Transaction.DeadlockDetected', 'The data store is busy'],
    ['Neo.ClientError.Statement.EntityNotFound', 'The data store is busy'],
    ['Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration', 'The data store is busy'],
    ['Neo.ClientError.Transaction.LockClientStopped', 'The data store is busy'],
    ['Neo.DatabaseError.General.StorageDamageDetected', 'The data store cannot be used'],
    ['Neo.ClientError.Cluster.NotALeader', 'The data store cannot be used'],
    ['Neo.ClientError.General.ForbiddenOnReadOnlyDatabase', 'The data store cannot be used'],
    ['Neo.ClientError.Security.AuthorizationExpired', 'The data store cannot be used'],
  ])('%s is the store being away: %s', (code, message) => {
    const error = toStoreError(failure(code), URI);
    expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE', retryable: true, message });
    // This text is for the log and not for the caller.
    expect((error as Error).cause).toMatchObject({ message: `${URI}: what the server said (${code})` });
  });

  it.each([
    ['Neo.ClientError.Security.Unauthorized', /NEO4J_USERNAME and NEO4J_PASSWORD/],
    ['Neo.ClientError.Security.CredentialsExpired', /NEO4J_USERNAME and NEO4J_PASSWORD/],
    ['Neo.ClientError.Security.Forbidden', /NEO4J_USERNAME/],
    ['Neo.ClientError.Database.DatabaseNotFound', /NEO4J_DATABASE/],
  ])('%s names the setting', (code, message) => {
    const error = toStoreError(failure(code), URI);
    expect(error).toMatchObject({
      code: 'CONFIGURATION',
      retryable: false,
      message: expect.stringMatching(message),
    });
  });

  it('that is a mistake in the code stays what it is, and so does an error of ours', () => {
    const mistake = failure('Neo.ClientError.Statement.SyntaxError');
    expect(toStoreError(mistake, URI)).toBe(mistake);
    const ours = new HoldfastError('CONFIGURATION', 'ours');
    expect(toStoreError(ours, URI)).toBe(ours);
  });

  it('is worth another try only where the server took all of it back', () => {
    expect(isTransient(failure('Neo.TransientError.Transaction.DeadlockDetected'))).toBe(true);
    expect(isTransient(failure('Neo.ClientError.Statement.EntityNotFound'))).toBe(true);
    // The database may have committed before the connection broke.
    expect(isTransient(failure('ServiceUnavailable'))).toBe(false);
    expect(isTransient(failure('Neo.TransientError.General.DatabaseUnavailable'))).toBe(false);
  });
});
