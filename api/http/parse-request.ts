import { z } from 'zod';
import { isHoldfastError, HoldfastError } from '../../src/base/errors';
import { contractNames } from './contract-names';
import { parseInput, readInput } from './input';
import type { AnyRoute, RequestSchemas } from './route';
import type { Caller } from '../../src/access/caller';

export interface ReceivedParts {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** A part for which a route has no schema takes no fields. */
const NOTHING = z.strictObject({});

/**
 * Validates the parts of a request, and returns the paths of the fields that were ignored besides.
 * @throws HoldfastError `VALIDATION`, or the error that the route converts it to
 */
export function parseRequest(route: AnyRoute, { params, query, body }: ReceivedParts) {
  const schemas = route.request as RequestSchemas;
  // A body that has no effect at all may have been meant to limit one.
  const names = schemas.body === undefined ? undefined : contractNames(route.path);
  try {
    const inQuery = readInput(schemas.query ?? NOTHING, query, 'query', { body: schemas.body });
    const inBody = readInput(schemas.body ?? NOTHING, body, 'body', { names });
    return {
      params: parseInput(schemas.params, params, 'path'),
      query: schemas.query === undefined ? undefined : inQuery.data,
      body: schemas.body === undefined ? undefined : inBody.data,
      ignored: [...inQuery.ignored, ...inBody.ignored],
    };
  } catch (error) {
    throw isHoldfastError(error) ? (route.onInvalid?.(error, body) ?? error) : error;
  }
}

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
  const scheduled = fieldOf(fieldOf(body, 'action'), 'request');
  const requests = [body, scheduled].flatMap((request) => [request, fieldOf(request, 'options')]);
  const places = [params, query, ...requests, ...batch];
  return places.map((place) => fieldOf(place, 'userId')).filter((user) => user !== undefined);
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
