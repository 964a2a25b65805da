import { z } from 'zod';
import { asName, asNewName } from '../tenants';
import { NOT_BLANK } from '../not-blank';

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
