import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { validationError } from '../../src/base/errors';

type Fields = Readonly<Record<string, unknown>>;

/** The fields that are others after each change. */
const CHANGES: ReadonlySet<string> = new Set(['version', 'updatedAt']);

/** Refuses fields that were sent with a change and are not those of the stored thing. @throws HoldfastError `VALIDATION` */
export type CheckStored = (stored: object) => void;

/**
 * Builds the schema of the fields of a thing that no change may set. A body may have them, so that a thing can be sent back
 * as it was read.
 * @param shape that of the thing in responses
 */
export function readOnlyFields<S extends Readonly<Record<string, z.ZodType>>, N extends keyof S & string>(
  shape: S,
  names: readonly N[],
): Record<N, z.ZodOptional<S[N]>> {
  return Object.fromEntries(
    names.map((name) => [
      name,
      z.optional(shape[name] as S[N]).describe('May be sent as it was read; another value is refused'),
    ]),
  ) as Record<N, z.ZodOptional<S[N]>>;
}

/** Creates the check of a body's read-only fields against the thing, for the moment at which it is changed. */
export function unchanged(sent: Fields, names: readonly string[]): CheckStored {
  return (stored) => {
    for (const name of names) {
      const [given, storedValue] = [sent[name], (stored as Fields)[name]];
      if (given === undefined || isDeepStrictEqual(given, storedValue) || isSameTime(given, storedValue))
        continue;
      const is =
        storedValue === undefined ? 'it is absent' : `it is ${JSON.stringify(storedValue).slice(0, 200)}`;
      const advice = CHANGES.has(name)
        ? 'if it was another one when it was read, there is a change since then: read it again'
        : 'leave it out or send it as it is';
      throw validationError(name, `${name} cannot be set, and ${is}: ${advice}`);
    }
  };
}

/** Whether two texts are the same time, which clients may write in another form. */
function isSameTime(one: unknown, other: unknown): boolean {
  if (typeof one !== 'string' || typeof other !== 'string' || !/^\d{4}-.*T/.test(other)) return false;
  return Date.parse(one) === Date.parse(other);
}
