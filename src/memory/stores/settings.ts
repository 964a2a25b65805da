import type { Config } from '../../settings/config';
import { LEXICAL_MODEL } from '../../embeddings/lexical/lexical-embedder';
import { validationError } from '../../base/errors';
import { type MemorySettings, pickMemorySettings } from '../service/memory-settings';

/** Areas whose initialization sets where memories are kept. */
export const AREAS = ['agent', 'memory-chat'] as const;
export type Area = (typeof AREAS)[number];

/** What an initialization sets. A section that it leaves out, or leaves empty, it says nothing about. */
export interface StoreSettings {
  readonly graphdb?: {
    readonly uri?: string | undefined;
    readonly username?: string | undefined;
    readonly password?: string | undefined;
    readonly database?: string | undefined;
    /** The API that took the address allows it to be private or loopback. Absent: it does not. */
    readonly allowPrivate?: boolean;
  };
  readonly vectordb?: {
    readonly apiKey?: string | undefined;
    /** The region used when the index has to be made. */
    readonly environment?: string | undefined;
    readonly indexName?: string | undefined;
  };
  readonly embedding?: { readonly model?: string | undefined; readonly dimensions?: number | undefined };
}

/** Where memories are kept and who embeds them: the environment, and what was set beside it. */
export interface ResolvedStores {
  readonly memory: MemorySettings;
  /** The graph is at an address that a caller named, and not the operator. */
  readonly isAddressNamed: boolean;
  /** The embedding model, or the length of its vectors, is one that a caller named. */
  readonly isModelNamed: boolean;
}

/** The environment's part. */
export type StoresConfig = MemorySettings &
  Pick<
    Config,
    | 'NEO4J_URI'
    | 'NEO4J_USERNAME'
    | 'NEO4J_PASSWORD'
    | 'NEO4J_DATABASE'
    | 'PINECONE_API_KEY'
    | 'PINECONE_INDEX'
    | 'PINECONE_ENVIRONMENT'
    | 'PINECONE_CONTROLLER_URL'
    | 'EGRESS_ALLOW_PRIVATE'
    | 'privateForStores'
  >;

const SECTIONS = ['graphdb', 'vectordb', 'embedding'] as const;

/** Of several settings each section of the first that says something about it. Pure. */
export function combine(latestFirst: readonly StoreSettings[]): StoreSettings {
  return Object.fromEntries(
    SECTIONS.flatMap((name) => {
      const section = latestFirst.map((settings) => settings[name]).find(saysSomething);
      return section === undefined ? [] : [[name, section]];
    }),
  );
}

/**
 * The stores of these settings in this process: what they leave out is as the environment has it. A configured
 * password never goes along with an address that was named here. Pure.
 * @throws HoldfastError `VALIDATION` for a section that neither these settings nor the environment complete; its field
 * begins with the section's name
 */
export function resolveStores(
  config: StoresConfig,
  { graphdb, vectordb, embedding }: StoreSettings,
): ResolvedStores {
  const isModelNamed = saysSomething(embedding) && !isAsConfigured(config, embedding);
  return {
    memory: {
      ...pickMemorySettings(config),
      ...(saysSomething(graphdb) ? { neo4j: resolveGraph(config, graphdb) } : {}),
      ...(saysSomething(vectordb)
        ? { pinecone: resolveIndex(config, vectordb), VECTOR_STORE: 'pinecone' as const }
        : {}),
      ...(isModelNamed ? resolveEmbedding(config, embedding) : {}),
    },
    isAddressNamed: graphdb?.uri !== undefined,
    isModelNamed,
  };
}

function resolveGraph(
  config: StoresConfig,
  { uri, username, password, database, allowPrivate = false }: NonNullable<StoreSettings['graphdb']>,
): NonNullable<MemorySettings['neo4j']> {
  const address = uri ?? config.NEO4J_URI;
  if (address === undefined) {
    throw validationError('graphdb.uri', 'is needed, because NEO4J_URI is not set');
  }
  const configured =
    uri === undefined
      ? { username: config.NEO4J_USERNAME, password: config.NEO4J_PASSWORD, database: config.NEO4J_DATABASE }
      : { username: 'neo4j', password: '', database: undefined };
  const chosen = database ?? configured.database;
  return {
    uri: address,
    username: username ?? configured.username,
    password: password ?? configured.password,
    database: chosen,
    ...(uri === undefined ? {} : { egress: { allowPrivate: mayBePrivate(config, allowPrivate) } }),
  };
}

/** An API goes by its own setting each time; a worker by what the API wrote down, unless its own setting refuses it. */
function mayBePrivate({ EGRESS_ALLOW_PRIVATE, privateForStores }: StoresConfig, written: boolean): boolean {
  return privateForStores === 'as written' ? written : EGRESS_ALLOW_PRIVATE;
}

function resolveIndex(
  config: StoresConfig,
  { apiKey = config.PINECONE_API_KEY, environment, indexName }: NonNullable<StoreSettings['vectordb']>,
): NonNullable<MemorySettings['pinecone']> {
  if (apiKey === undefined) {
    throw validationError('vectordb.apiKey', 'is needed, because PINECONE_API_KEY is not set');
  }
  return {
    apiKey,
    indexName: indexName ?? config.PINECONE_INDEX,
    environment: environment ?? config.PINECONE_ENVIRONMENT,
    controllerHostUrl: config.PINECONE_CONTROLLER_URL,
  };
}

/** A model that is named is meant: no other one stands in for it. */
function resolveEmbedding(
  config: StoresConfig,
  { model, dimensions = config.MEMORY_EMBEDDING_DIMENSIONS }: NonNullable<StoreSettings['embedding']>,
): Partial<MemorySettings> {
  return {
    MEMORY_EMBEDDING_DIMENSIONS: dimensions,
    ...(model === undefined
      ? {}
      : {
          MEMORY_EMBEDDING_MODEL: model,
          MEMORY_EMBEDDING_PROVIDER:
            model === LEXICAL_MODEL ? ('lexical' as const) : ('transformers' as const),
        }),
  };
}

function isAsConfigured(
  { MEMORY_EMBEDDING_MODEL, MEMORY_EMBEDDING_DIMENSIONS }: StoresConfig,
  {
    model = MEMORY_EMBEDDING_MODEL,
    dimensions = MEMORY_EMBEDDING_DIMENSIONS,
  }: NonNullable<StoreSettings['embedding']>,
): boolean {
  return model === MEMORY_EMBEDDING_MODEL && dimensions === MEMORY_EMBEDDING_DIMENSIONS;
}

function saysSomething<T extends object>(section: T | undefined): section is T {
  return section !== undefined && Object.values(section).some((value) => value !== undefined);
}
