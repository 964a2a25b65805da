import { z } from 'zod';
import { isWellFormed } from '../base/text/well-formed';

/** The tenant of all data of a service without tenants, and of every caller whose key or token names none. */
export const DEFAULT_TENANT = 'default';

const MAX_NAME_LENGTH = 40;
const MAX_USER_LENGTH = 200;

/**
 * Stands before and after the tenant in the stored name of a user. Names of users are free text, so the mark is a control
 * character, which no name of a user may have.
 */
export const TENANT_MARK = '\u0001';

/** Of a name with half of a surrogate pair, which no URL can carry: it could be stored and never be asked for. */
export const NOT_WELL_FORMED = 'must have no lone surrogates';

/**
 * Limits the texts of a schema to those that may be the name of a user or a session. One rule holds in all areas: a name that a
 * turn takes has to be one by which its memories can be read and erased.
 */
export const asName = (schema: z.ZodString): z.ZodString =>
  schema
    .regex(/^[^\u0000-\u001f\u007f]*$/, 'must have no control characters')
    .refine(isWellFormed, NOT_WELL_FORMED);

/**
 * Limits the texts of a schema to those that may be the name of a new user or session. A client that parses an address removes
 * the parts `.` and `..` of its path, even if they are escaped, so no path can name such a user.
 */
export const asNewName = (schema: z.ZodString): z.ZodString =>
  asName(schema).regex(/^(?!\.{1,2}$)/, 'must not be "." or ".."');

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
