import { HoldfastError } from '../../src/errors';

/** A query that is none has a form of its own in this area; anything else that is wrong stays as it is. */
export function toQueryProblem(error: HoldfastError, body: unknown): HoldfastError {
  const query = (body as { query?: unknown } | null)?.query;
  if (typeof query === 'string' && query.trim() !== '') return error;
  return new HoldfastError('INTENT_QUERY_INVALID', 'query must be a non-empty string');
}
