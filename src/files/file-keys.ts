import type { RunOwner } from '../contracts/runs/run-owner';
import { pathOfTenant } from '../stores/tenants/tenant-names';

/** The folder of the files of all tenants. In DATA_DIR it lies beside `files`, which tools read as FILE_ROOT. */
export const FILES = 'uploads';

/** The folder of the files of all users of a tenant. @throws HoldfastError as `filesOf` */
export function filesOfTenant(tenant: string): string {
  return `${FILES}/${pathOfTenant(tenant, 'users')}`;
}

/**
 * The folder of the files of a user, which goes when the user is erased.
 * @throws HoldfastError `INTERNAL` if the tenant's name is malformed
 */
export function filesOf({ tenant, user }: Required<RunOwner>): string {
  return `${filesOfTenant(tenant)}/${user}`;
}
