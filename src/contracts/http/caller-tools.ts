import { z } from 'zod';
import { jsonLength } from '../json-length';
import { jsonObjectSchema } from './text-schema';

/** Maximum number of tools that a caller may bring. */
const MAX_CALLER_TOOLS = 128;
/** Maximum length of a schema, characters of JSON: each plan of a model sends it. */
const MAX_SCHEMA = 20_000;
const MAX_DESCRIPTION = 10_000;

/** A tool that the caller runs: the run waits for its output. */
export const callerToolSchema = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must have 1 to 64 letters, digits, _ and -'),
  description: z.string().max(MAX_DESCRIPTION, `must have at most ${MAX_DESCRIPTION} characters`).default(''),
  inputSchema: jsonObjectSchema
    .refine(
      (schema) => jsonLength(schema, MAX_SCHEMA) <= MAX_SCHEMA,
      `must have at most ${MAX_SCHEMA} characters of JSON`,
    )
    .default({ type: 'object', properties: {} })
    .describe('A JSON Schema of its arguments'),
});
export type CallerTool = Readonly<z.output<typeof callerToolSchema>>;

export const callerToolsOption = z
  .array(callerToolSchema)
  .max(MAX_CALLER_TOOLS, `must have at most ${MAX_CALLER_TOOLS} entries`)
  .refine(
    (tools) => new Set(tools.map(({ name }) => name)).size === tools.length,
    'must not have two tools of one name',
  )
  .optional()
  .describe(
    'Tools that the caller runs. The run waits for the output of a call, which is an approval of kind `output`',
  );
