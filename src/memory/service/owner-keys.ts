import type { Pseudonyms } from '../../secrets/pseudonyms';
import { type MemorySettings, placeOfGraph, placesOf } from './memory-settings';

export type OwnerSettings = Pick<MemorySettings, 'neo4j' | 'pinecone' | 'VECTOR_STORE'>;

/** The pseudonyms that stand for a user in the keys of documents that belong to memories of a graph. */
export interface OwnerKeys {
  readonly of: (userId: string) => string;
  /** Those that earlier builds made with these settings, which had the place of the vectors in them too. */
  readonly former: (userId: string) => readonly string[];
}

/**
 * Creates the pseudonyms of a tenant's users for one purpose. They depend on the graph alone: the memories stay even if the vectors
 * are kept elsewhere or not at all, so what belongs to them has to be found and erased there. Pure.
 */
export function createOwnerKeys(
  pseudonyms: Pseudonyms,
  purpose: 'facts' | 'archived-memories',
  settings: OwnerSettings,
  tenant: string,
): OwnerKeys {
  const graph = placeOfGraph(settings);
  const { graphdb, vectordb } = placesOf(settings);
  const former = [...new Set([vectordb, graphdb, 'none'])].map((vectors) =>
    pseudonyms('memory-stores', JSON.stringify({ graphdb, vectordb: vectors })),
  );
  const build = (store: string, userId: string): string =>
    pseudonyms(purpose, JSON.stringify([store, tenant, userId]));
  return {
    of: (userId) => build(graph, userId),
    former: (userId) => former.map((store) => build(store, userId)),
  };
}
