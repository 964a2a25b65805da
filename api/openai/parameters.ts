import { validationError } from '../../src/base/errors';

/** The parameters of a request; those that are null count as absent, as in OpenAI's API. @throws HoldfastError `VALIDATION` */
export function requestOf(body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw validationError('body', 'must be an object');
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

/** The parameters of a request that are not among those that have an effect. Pure. */
export function namedIn(request: Readonly<Record<string, unknown>>, known: ReadonlySet<string>): string[] {
  return Object.keys(request).filter((name) => !known.has(name));
}
