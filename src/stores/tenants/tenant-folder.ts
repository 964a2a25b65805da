import { HoldfastError } from '../../base/errors';
import { DEFAULT_TENANT, tenantSchema } from '../../contracts/tenants';

/** The folder in DATA_DIR that has a folder for each tenant but the default one, whose files are in DATA_DIR itself. */
export const TENANTS = 'tenants';

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
