import { DEFAULT_TENANT } from '../../contracts/tenants';
import type { DocumentStore, DocumentWrite, TenantDocuments } from '../documents';
import { collectionOf } from './tenant-names';

/** Limits a store to the documents of a tenant, which are in collections of their own. */
export function tenantDocuments(store: DocumentStore, tenant: string): TenantDocuments {
  if (tenant === DEFAULT_TENANT) return store;
  const own = (collection: string): string => collectionOf(tenant, collection);
  const ownWrite = (write: DocumentWrite): DocumentWrite => ({ ...write, collection: own(write.collection) });
  return {
    get: (collection, key) => store.get(own(collection), key),
    getEach: (collection, keys) => store.getEach(own(collection), keys),
    getMany: (collection, keys) => store.getMany(own(collection), keys),
    list: (collection, options) => store.list(own(collection), options),
    write: (writes, options) => store.write(writes.map(ownWrite), options),
    // Documents of all tenants expire together.
    removeExpired: (now, limit) => store.removeExpired(now, limit),
    ping: () => store.ping(),
  };
}
