import { createHmac } from 'node:crypto';
import { createPineconeIndex, type PineconeIndexOptions } from '../../src/stores/pinecone/pinecone-index';
import type { VectorIndex } from '../../src/stores/memory/vector-index';
import { API_KEY, type PineconeServer } from './pinecone-server/server';

export const INDEX_NAME = 'memories';

/** Names namespaces as the service does, by a keyed hash, with the space in it for a reader. */
export function namespaceOf(spaceId: number, userId: string): string {
  return `s${spaceId}-${createHmac('sha256', 'test').update(userId).digest('hex').slice(0, 32)}`;
}

/** The adapter at a stub server, with vectors of three dimensions and short waits. */
export function pineconeIndexAt(
  server: PineconeServer,
  given: Partial<PineconeIndexOptions> = {},
): VectorIndex {
  return createPineconeIndex({
    apiKey: API_KEY,
    indexName: INDEX_NAME,
    environment: 'us-east-1',
    dimensions: 3,
    dimensionsOf: () => Promise.resolve(given.dimensions ?? 3),
    timeoutMs: 10_000,
    namespaceOf,
    controllerHostUrl: server.url,
    retryDelayMs: () => 1,
    ...given,
  });
}
