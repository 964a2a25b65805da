import { z } from 'zod';
import { NOT_BLANK } from '../../src/contracts/not-blank';

/**
 * A text that says something, of a bounded length.
 * @param most characters
 * @param setting the one that sets the bound, to be named where it is exceeded
 */
export function textSchema(most: number, setting?: string): z.ZodString {
  const named = setting === undefined ? '' : ` (${setting})`;
  return z
    .string()
    .max(most, `must have at most ${most} characters${named}`)
    .regex(NOT_BLANK, 'must not be empty');
}

/** A user's, a session's or a model's name. */
export const nameSchema = z.string().min(1, 'must not be empty').max(200);

/** Longest query, characters. */
export const QUERY_LENGTH = 10_000;

/** What a planner, a model or the rules are asked in words. */
export const querySchema = textSchema(QUERY_LENGTH);
