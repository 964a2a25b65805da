import { z } from 'zod';
import { asName, asNewName } from '../tenants';
import { NOT_BLANK } from '../constants';
import { isJsonObject } from '../json';

/**
 * Any JSON object, as it is. The caller chooses how many names it has, and `z.record` would check and copy each one: 80,000 names,
 * which fit into a body of 1 MB, took 90 ms of the event loop.
 */
export const jsonObjectSchema = z
  .custom<Record<string, unknown>>(isJsonObject, 'must be an object')
  .meta({ type: 'object', propertyNames: { type: 'string' }, additionalProperties: {} });

/**
 * Builds the schema of a text that is not blank and has a limited length.
 * @param max characters
 * @param setting the setting that the limit comes from; the message names it
 */
export function textSchema(max: number, setting?: string): z.ZodString {
  const named = setting === undefined ? '' : ` (${setting})`;
  return z
    .string()
    .max(max, `must have at most ${max} characters${named}`)
    .regex(NOT_BLANK, 'must not be empty');
}

const name = z.string().min(1, 'must not be empty').max(200);

/** The name of a user, a session or a model, when it is looked for. */
export const nameSchema = asName(name);

/** The name of a user or a session, when something is stored under it. */
export const newNameSchema = asNewName(name);

/** Maximum length of a query, characters. */
export const QUERY_LENGTH = 10_000;

/** A query in words, for a planner, a model or the rules. */
export const querySchema = textSchema(QUERY_LENGTH);

/** An id that callers choose and that stands in paths: of schedules and hooks. */
export const chosenIdSchema = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9-]{0,57}$/,
    'must have 1 to 58 lower-case letters, digits and "-", and begin with a letter or digit',
  );
