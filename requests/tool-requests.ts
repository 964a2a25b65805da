import { z } from 'zod';
import type { Config } from '../src/settings/config';
import { toolAnnotationsSchema } from '../src/contracts/http/tools';
import { httpDeclarationSchema } from '../src/tools/http/http-declaration';
import {
  activityDeclarationSchema,
  externalTimeoutSchema,
  workflowDeclarationSchema,
} from '../src/tools/external/external-declaration';
import { PARAMETERS_FORMS } from '../src/tools/parameters-schema';
import { toolNameSchema } from '../src/tools/registry-names';
import { approvalOption, timeoutOption, webhookOption } from './run-options';
import { jsonObjectSchema } from '../src/contracts/http/text-schema';

export type ToolRequestLimits = Pick<Config, 'TOOL_TIMEOUT_MS' | 'MAX_TOOLS_PER_CALL' | 'MAX_SOURCE_BYTES'>;

const NAME_LENGTH = 64;
const DESCRIPTION_LENGTH = 4_000;

/** Builds the schemas of the request bodies of tools. The message of a limit that is a setting names the setting. */
export function toolRequestSchemas(limits: ToolRequestLimits) {
  const toolName = z
    .string()
    .min(1, 'must not be empty')
    .max(NAME_LENGTH, `must have at most ${NAME_LENGTH} characters`);
  const args = jsonObjectSchema.default({});
  const options = z
    .strictObject({ timeout: timeoutOption(limits), approval: approvalOption, webhook: webhookOption })
    .optional();
  const calls = z
    .array(z.strictObject({ toolName, args }))
    .min(1, 'must name at least one tool')
    .max(
      limits.MAX_TOOLS_PER_CALL,
      `must name at most ${limits.MAX_TOOLS_PER_CALL} tools (MAX_TOOLS_PER_CALL)`,
    );

  return {
    execute: z.strictObject({ toolName, args, options }),
    executeMany: z.strictObject({ tools: calls, options }),
    register: z.strictObject({
      name: toolNameSchema,
      description: z
        .string()
        .max(DESCRIPTION_LENGTH, `must have at most ${DESCRIPTION_LENGTH} characters`)
        .default(''),
      // A separate parser rejects invalid parameters, with a message that names the parameter.
      parameters: z.record(z.string(), z.unknown()).meta({ anyOf: PARAMETERS_FORMS }).default({}),
      execute: z
        .string()
        .refine((source) => Buffer.byteLength(source) <= limits.MAX_SOURCE_BYTES, {
          message: `must have at most ${limits.MAX_SOURCE_BYTES} bytes (MAX_SOURCE_BYTES)`,
        })
        .nullish()
        .describe('JavaScript: an arrow function, a function, or a body that uses args'),
      http: httpDeclarationSchema
        .optional()
        .describe('Instead of execute: a request to a server of yours, with templates over the arguments'),
      activity: activityDeclarationSchema
        .optional()
        .describe('Instead of execute: an activity of another worker, in any language'),
      workflow: workflowDeclarationSchema
        .optional()
        .describe('Instead of execute: a workflow of another worker, in any language'),
      timeoutMs: externalTimeoutSchema
        .optional()
        .describe(
          'With activity or workflow: the time limit of each call instead of TOOL_TIMEOUT_MS, up to a day',
        ),
      repeatable: z
        .boolean()
        .optional()
        .describe(
          'With http, activity or workflow: a call whose outcome is not known, or that failed, may be made again; a request has the same Idempotency-Key',
        ),
      requiresApproval: z.boolean().optional().describe('Each call waits until a person approves it'),
      annotations: toolAnnotationsSchema.optional(),
    }),
    byName: z.object({ toolName: z.string() }),
  };
}
