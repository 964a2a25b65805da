import type { Caller } from '../../src/access/caller';
import { HoldfastError } from '../../src/base/errors';

interface RequestParts {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/**
 * Refuses a request of a caller of one user that names another user, even in a field that the route ignores. A request of any
 * other caller is not looked at.
 * @param parts as they were received
 * @throws HoldfastError `ACCESS_DENIED`
 */
export function checkNamedUsers(parts: RequestParts, { userId }: Caller): void {
  if (userId === undefined || namedUsers(parts).every((named) => named === userId)) return;
  throw otherUserDenied();
}

/** The error of a caller of one user that names another. */
export function otherUserDenied(): HoldfastError {
  return new HoldfastError('ACCESS_DENIED', 'The key or token may only name the user that it belongs to');
}

/** The users that a request names. A test finds every property `userId` that the schemas of requests have elsewhere. */
function namedUsers({ params, query, body }: RequestParts): unknown[] {
  const queries = fieldOf(body, 'queries');
  const batch = Array.isArray(queries) ? queries.map((each) => fieldOf(each, 'options')) : [];
  const places = [params, query, body, fieldOf(body, 'options'), ...batch];
  return places.map((place) => fieldOf(place, 'userId')).filter((user) => user !== undefined);
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
