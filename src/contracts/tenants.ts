import { z } from 'zod';

/** The tenant of all data of a service without tenants, and of every caller whose key or token names none. */
export const DEFAULT_TENANT = 'default';

const MAX_NAME_LENGTH = 40;

/**
 * The name of a tenant. It becomes part of workflow ids, of names of collections and of a folder, so its characters are limited to
 * those that need no escape in any of them.
 */
export const tenantSchema = z
  .string()
  .max(MAX_NAME_LENGTH, `must have at most ${MAX_NAME_LENGTH} characters`)
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, 'must be lower-case letters, digits and hyphens between them');
