import { HoldfastError } from '../base/errors';
import { MAX_LIST_LIMIT, type DocumentStore } from '../stores/documents';
import { checkTenant } from '../stores/tenants/tenant-names';

/** The names of all tenants but the default one, among the documents of the default one. */
export const TENANT_COLLECTION = 'tenants';
/** One list reads all tenants. */
export const MAX_TENANTS = MAX_LIST_LIMIT;

/**
 * Notes a tenant at its first use, whichever API is asked, so that every process knows it.
 * @param documents of the default tenant
 * @throws HoldfastError `INTERNAL` if the name is malformed; `ACCESS_DENIED` if there are `MAX_TENANTS` already; `STORE_UNAVAILABLE` (retryable)
 */
export async function admitTenant(
  documents: Pick<DocumentStore, 'get' | 'list' | 'write'>,
  tenant: string,
): Promise<void> {
  checkTenant(tenant);
  if ((await documents.get(TENANT_COLLECTION, tenant)) !== undefined) return;
  if ((await documents.list(TENANT_COLLECTION)).length >= MAX_TENANTS)
    throw new HoldfastError('ACCESS_DENIED', `There are ${MAX_TENANTS} tenants already`);
  // Another process may have added it meanwhile, which is the same.
  await documents.write([
    { type: 'put', collection: TENANT_COLLECTION, key: tenant, value: {}, ifVersion: 0 },
  ]);
}
