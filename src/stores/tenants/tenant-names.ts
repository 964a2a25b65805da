import { validationError, HoldfastError } from '../../base/errors';
import { DEFAULT_TENANT, TENANT_MARK as MARK, tenantSchema } from '../../contracts/tenants';

/** The folder in DATA_DIR that has a folder for each tenant but the default one, whose files are in DATA_DIR itself. */
export const TENANTS = 'tenants';

/** Builds the collection in which a tenant's documents are. No collection of the service begins with `@`. Pure. */
export function collectionOf(tenant: string, collection: string): string {
  return tenant === DEFAULT_TENANT ? collection : `@${tenant}/${collection}`;
}

/**
 * Builds the name under which the stores know a user of a tenant. Users of the default tenant keep their names.
 * @throws HoldfastError `VALIDATION` for a name that would be read as one of another tenant
 */
export function storedUser(tenant: string, userId: string): string {
  if (tenant !== DEFAULT_TENANT) return prefixOf(tenant) + userId;
  if (userId.startsWith(MARK)) throw validationError('userId', 'must not begin with the character U+0001');
  return userId;
}

/** Reads the name of a user from its stored form; undefined if it is a user of another tenant. Pure. */
export function userOfTenant(tenant: string, stored: string): string | undefined {
  if (tenant === DEFAULT_TENANT) return stored.startsWith(MARK) ? undefined : stored;
  const prefix = prefixOf(tenant);
  return stored.startsWith(prefix) ? stored.slice(prefix.length) : undefined;
}

/**
 * A name before those of all users of a tenant, and behind those of tenants before it, in ascending order of code units. Names of
 * tenants have characters before U+007F only. Pure.
 */
export function firstStoredUser(tenant: string): string {
  return tenant === DEFAULT_TENANT ? `${MARK}\u007f` : prefixOf(tenant);
}

function prefixOf(tenant: string): string {
  return `${MARK}${tenant}${MARK}`;
}

/**
 * Returns the name of a tenant unchanged, after a check. A store puts the name into paths and keys, where another text could lead
 * to the data of another tenant.
 * @throws HoldfastError `INTERNAL` if it is malformed
 */
export function checkTenant(tenant: string): string {
  if (tenantSchema.safeParse(tenant).success) return tenant;
  throw new HoldfastError('INTERNAL', 'The name of a tenant is malformed');
}

/**
 * Builds the path of a tenant's file below DATA_DIR, with slashes.
 * @throws HoldfastError `INTERNAL` if the tenant's name is malformed
 */
export function pathOfTenant(tenant: string, file: string): string {
  return tenant === DEFAULT_TENANT ? file : `${TENANTS}/${checkTenant(tenant)}/${file}`;
}
