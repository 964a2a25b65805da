import { z } from 'zod';

/** The tenant of all data of a service without tenants, and of every caller whose key or token names none. */
export const DEFAULT_TENANT = 'default';

const MAX_NAME_LENGTH = 40;
const MAX_USER_LENGTH = 200;

/**
 * Stands before and after the tenant in the stored name of a user. Names of users are free text, so the mark is a character that
 * no name of a user may begin with.
 */
export const TENANT_MARK = '\u0001';

/** Whether a text has no half of a surrogate pair, which no URL can carry: such a name could be stored and never be asked for. */
export const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text);
export const NOT_WELL_FORMED = 'must have no lone surrogates';

/** Limits the texts of a schema to those that may be the name of a user. */
export const asName = (schema: z.ZodString): z.ZodString =>
  schema
    .refine((name) => !name.startsWith(TENANT_MARK), 'must not begin with the character U+0001')
    .refine(isWellFormed, NOT_WELL_FORMED);

/** The name of a user. */
export const userIdSchema = asName(
  z
    .string()
    .min(1, 'must not be empty')
    .max(MAX_USER_LENGTH, `must have at most ${MAX_USER_LENGTH} characters`),
);

/**
 * The name of a tenant. It becomes part of workflow ids, of names of collections and of a folder, so its characters are limited to
 * those that need no escape in any of them.
 */
export const tenantSchema = z
  .string()
  .max(MAX_NAME_LENGTH, `must have at most ${MAX_NAME_LENGTH} characters`)
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, 'must be lower-case letters, digits and hyphens between them');
