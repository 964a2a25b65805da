import { z } from 'zod';
import type { Config } from '../src/settings/config';
import { jsonLength } from '../src/contracts/json-length';
import { scoreSchema } from '../src/contracts/http/memory';
import { MAX_ANSWER_SCHEMA } from '../src/llm/answer-schemas';
import { jsonObjectSchema, nameSchema, textSchema } from '../src/contracts/http/text-schema';
import {
  allowedFileSchema,
  allowedHostSchema,
  allowedToolSchema,
  MAX_ALLOWED,
} from '../src/contracts/http/allow-entries';

const atMost = `must have at most ${MAX_ALLOWED} entries`;
/**
 * The targets that a planner's calls may have besides those that the message names. It is strict, since a misspelt
 * `hosts` would allow nothing.
 */
export const allowOption = z
  .strictObject({
    hosts: z
      .array(allowedHostSchema)
      .max(MAX_ALLOWED, atMost)
      .optional()
      .describe('Hosts for api_call: example.com, example.com:8443, *.example.com, or * for every host'),
    files: z
      .array(allowedFileSchema)
      .max(MAX_ALLOWED, atMost)
      .optional()
      .describe('Files for file_read: a path, a folder such as reports/, or * for every file'),
    tools: z
      .array(allowedToolSchema)
      .max(MAX_ALLOWED, atMost)
      .optional()
      .describe('Remote tools that need no approval: server.tool, server.*, or * for every one'),
  })
  .optional()
  .describe('Targets that a planner may call besides those that the message names');

/** Maximum length of the instructions of a caller, characters: each call of a model sends them. */
const MAX_INSTRUCTIONS = 20_000;

/** What the caller wants of every answer, such as a persona. The models read it; the built-in rules cannot. */
export const instructionsOption = textSchema(MAX_INSTRUCTIONS)
  .optional()
  .describe(
    'What a model has to follow in all that it says and does; they rank above memories and results of tools',
  );

const MAX_OFFERED_NAMES = 100;

/** The tools that a planner is offered: `shop.order`, or `shop.*` for all tools whose names begin with `shop.`. */
export const offeredToolsOption = z
  .array(
    z
      .string()
      .max(64, 'must have at most 64 characters')
      .regex(
        /^(?:[A-Za-z][A-Za-z0-9_.-]*)?\*$|^[A-Za-z][A-Za-z0-9_.-]*$/,
        'has to be the name of a tool, or the beginning of names and *, such as shop.*',
      ),
  )
  .max(MAX_OFFERED_NAMES, `must have at most ${MAX_OFFERED_NAMES} entries`)
  .optional()
  .describe('The only tools that may be called: names, or beginnings of names such as shop.*; [] for none');

/** The JSON Schema that an answer has to fit. Whether it can be used is checked by `checkResponseSchema`. */
export const responseSchemaOption = jsonObjectSchema
  .refine(
    (schema) => jsonLength(schema, MAX_ANSWER_SCHEMA) <= MAX_ANSWER_SCHEMA,
    `must have at most ${MAX_ANSWER_SCHEMA} characters of JSON`,
  )
  .optional()
  .describe('A JSON Schema, 2020-12 if it names no other. The answer is a value that fits it, in `output`');

/** Builds the schema of `options.maxIterations`. The message of its maximum names the setting. */
export function maxIterationsOption({ PLANNER_MAX_ITERATIONS }: Pick<Config, 'PLANNER_MAX_ITERATIONS'>) {
  return limitSchema(PLANNER_MAX_ITERATIONS, 'PLANNER_MAX_ITERATIONS')
    .optional()
    .describe('Maximum number of iterations in which tools are run');
}

/** Whether a classification says why. A model is asked for its reasons only if the caller wants these. */
export const reasoningOption = z
  .boolean()
  .optional()
  .describe('true: a model says why; absent: `reasoning` names what decided; false: there is no `reasoning`');

/** Maximum number of tokens that a caller may ask for. */
export const MAX_TOKENS = 100_000;

/** Options of a model call; all are optional. */
export const modelOptions = {
  model: nameSchema.optional().describe("A model's or a provider's name"),
  temperature: scoreSchema.optional(),
  topP: scoreSchema.optional(),
  maxTokens: z
    .number()
    .int()
    .min(1)
    .max(MAX_TOKENS)
    .optional()
    .describe('Maximum length of the answer, tokens'),
};

/** Builds the schema of a whole number from 1 to the value of a setting, which the message of the maximum names. */
export function limitSchema(max: number, setting: string) {
  return z.number().int().min(1).max(max, `must be at most ${max} (${setting})`);
}

/** Builds that of a number in a query, which is text. */
export function queryLimitSchema(max: number, setting: string) {
  return z.coerce.number().int().min(1).max(max, `must be at most ${max} (${setting})`);
}

export type AllowOption = z.output<typeof allowOption>;
