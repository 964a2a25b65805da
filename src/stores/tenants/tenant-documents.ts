import { DEFAULT_TENANT } from '../../contracts/tenants';
import type { DocumentStore, DocumentWrite, TenantDocuments } from '../documents';
import { collectionOf } from './tenant-names';

/** Limits a store to the documents of a tenant, which are in collections of their own. */
export function tenantDocuments(store: DocumentStore, tenant: string): TenantDocuments {
  if (tenant === DEFAULT_TENANT) return store;
  const toOwn = (collection: string): string => collectionOf(tenant, collection);
  const ownWrite = (write: DocumentWrite): DocumentWrite => ({
    ...write,
    collection: toOwn(write.collection),
  });
  return {
    get: (collection, key) => store.get(toOwn(collection), key),
    getEach: (collection, keys) => store.getEach(toOwn(collection), keys),
    getMany: (collection, keys) => store.getMany(toOwn(collection), keys),
    list: (collection, options) => store.list(toOwn(collection), options),
    write: (writes, options) => store.write(writes.map(ownWrite), options),
    // Documents of all tenants expire together.
    removeExpired: (now, limit) => store.removeExpired(now, limit),
    ping: () => store.ping(),
  };
}
