import type { DeleteDocument, PutDocument } from '../../../src/stores/documents';

type PutOptions = Partial<Pick<PutDocument, 'collection' | 'ifVersion' | 'expiresAt'>>;
type DeleteOptions = Partial<Pick<DeleteDocument, 'collection' | 'ifVersion'>>;

/** A put into collection `c`. */
export function put(key: string, value: unknown, options: PutOptions = {}): PutDocument {
  return { type: 'put', collection: 'c', key, value, ...options };
}

/** A deletion from collection `c`. */
export function del(key: string, options: DeleteOptions = {}): DeleteDocument {
  return { type: 'delete', collection: 'c', key, ...options };
}
