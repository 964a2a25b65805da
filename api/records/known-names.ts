import { z } from 'zod';

/** A query string of these names; another one is refused, and the known ones are told. */
export function knownNames<S extends z.ZodRawShape>(shape: S, what: 'filter' | 'parameter') {
  const known = Object.keys(shape).join(', ');
  return z.looseObject(shape).superRefine((query, context) => {
    for (const name of Object.keys(query)) {
      if (Object.hasOwn(shape, name)) continue;
      context.addIssue({
        code: 'custom',
        path: [name],
        message: `${name} is no ${what} here; there are ${known}`,
      });
    }
  });
}
