import { z } from 'zod';
import { isHoldfastError } from '../../src/base/errors';
import { contractNames } from './contract-names';
import { parseInput, readInput } from './input';
import type { AnyRoute, RequestSchemas } from './route';

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
