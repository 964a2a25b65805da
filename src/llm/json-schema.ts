import { z } from 'zod';
import type { JsonSchema } from '../contracts/http/tools';

/**
 * The schema of the model's answer, which is the input of `schema`: defaults and transformations follow when it is
 * read.
 */
export function toJsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest;
}
