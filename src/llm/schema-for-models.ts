import { z } from 'zod';
import type { ToolDescription } from '../contracts/http/llm';
import type { JsonSchema } from '../contracts/http/tools';
import { isJsonObject } from '../contracts/json';
import { asObjectSchema } from '../contracts/http/tool-schemas';
import { apiCallDeclaration, HTTP_METHODS } from '../tools/builtin/declarations';

/**
 * The schema of a tool's arguments as a model gets it: unchanged, but for the methods of `api_call`, which callers may write in
 * either letter case while a model needs one of them. Pure.
 */
export function schemaForModels({
  name,
  inputSchema,
}: Pick<ToolDescription, 'name' | 'inputSchema'>): JsonSchema {
  const schema = asObjectSchema(inputSchema);
  const { properties } = schema;
  if (name !== apiCallDeclaration.name || !isJsonObject(properties)) return schema;
  const { method } = properties;
  if (!isJsonObject(method)) return schema;
  return { ...schema, properties: { ...properties, method: { ...method, enum: HTTP_METHODS } } };
}

/**
 * The schema of the model's answer, which is the input of `schema`: defaults and transformations follow when it is
 * read.
 */
export function toJsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest;
}
