import { EMBEDDER_SETTINGS } from '../../embeddings/embedder-settings';
import type { Config } from '../../settings/config';

/** The settings of the memory system. */
export type MemorySettings = Pick<Config, (typeof MEMORY_SETTINGS)[number]>;

const MEMORY_SETTINGS = [
  ...EMBEDDER_SETTINGS,
  'neo4j',
  'pinecone',
  'VECTOR_STORE',
  'MEMORY_MAX_PER_USER',
  'MEMORY_MAX_CONTENT_LENGTH',
  'MEMORY_SIMILARITY_THRESHOLD',
] as const satisfies readonly (keyof Config)[];

/** The port of addresses that name none. */
const BOLT_PORT = '7687';

/** Picks the settings of the memory system from a configuration. Pure. */
export function pickMemorySettings(config: MemorySettings): MemorySettings {
  return pick(config, MEMORY_SETTINGS);
}

/**
 * The places of the graph and of the vectors, for comparison with others. They are never shown, because they contain a
 * key. Pure.
 */
export function placesOf({
  neo4j,
  pinecone,
  VECTOR_STORE,
}: Pick<MemorySettings, 'neo4j' | 'pinecone' | 'VECTOR_STORE'>): {
  readonly graphdb: string;
  readonly vectordb: string;
} {
  const graphdb = neo4j === undefined ? 'embedded' : JSON.stringify([neo4j.uri, neo4j.database]);
  if (pinecone !== undefined) {
    return { graphdb, vectordb: JSON.stringify([pinecone.apiKey, pinecone.indexName]) };
  }
  return { graphdb, vectordb: VECTOR_STORE === 'none' ? 'none' : graphdb };
}

/** The place of the graph alone, by server and database, however its address is written. Pure. */
export function placeOfGraph({ neo4j }: Pick<MemorySettings, 'neo4j'>): string {
  if (neo4j === undefined) return 'embedded';
  const { hostname, port } = new URL(neo4j.uri);
  return JSON.stringify([hostname.toLowerCase(), port === '' ? BOLT_PORT : port, neo4j.database]);
}

/** Pure. */
export function pick<T extends object, const K extends readonly (keyof T)[]>(
  from: T,
  keys: K,
): Pick<T, K[number]> {
  return Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, K[number]>;
}
