import { z } from 'zod';

/** Builds the schema of a query string that rejects unknown names, with a message that lists the known ones. */
export function strictQuery<S extends z.ZodRawShape>(shape: S, what: 'filter' | 'parameter') {
  const known = Object.keys(shape).join(', ');
  return z.looseObject(shape).superRefine((query, context) => {
    for (const name of Object.keys(query)) {
      if (Object.hasOwn(shape, name)) continue;
      context.addIssue({
        code: 'custom',
        path: [name],
        message: `${name} is not a ${what} here; known are ${known}`,
      });
    }
  });
}
