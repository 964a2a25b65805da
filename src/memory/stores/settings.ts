import type { Config } from '../../settings/config';
import { LEXICAL_MODEL } from '../../embeddings/lexical/lexical-embedder';
import { validationError } from '../../base/errors';
import { type MemorySettings, pickMemorySettings } from '../service/memory-settings';

/** The areas whose initialization sets the stores of memories. */
export const AREAS = ['agent', 'memory-chat'] as const;
export type Area = (typeof AREAS)[number];

/** The settings of an initialization. A section that is absent or empty sets nothing. */
export interface StoreSettings {
  readonly graphdb?: {
    readonly uri?: string | undefined;
    readonly username?: string | undefined;
    readonly password?: string | undefined;
    readonly database?: string | undefined;
    /** Whether the API that accepted the address permits a private or loopback address. Absent: it does not. */
    readonly allowPrivate?: boolean;
  };
  readonly vectordb?: {
    readonly apiKey?: string | undefined;
    /** The region in which the index is created, if it does not exist. */
    readonly environment?: string | undefined;
    readonly indexName?: string | undefined;
  };
  readonly embedding?: { readonly model?: string | undefined; readonly dimensions?: number | undefined };
}

/** The sections that an initialization names. Null names the stores of the environment; an absent or empty section none. */
export type NamedStores = { readonly [S in keyof StoreSettings]: StoreSettings[S] | null };

/** The stores and the embedding model, resolved from the environment and from initializations. */
export interface ResolvedStores {
  readonly memory: MemorySettings;
  /** Whether a caller named the address of the graph, and not the operator. */
  readonly isAddressNamed: boolean;
  /** Whether a caller named the embedding model or the length of its vectors. */
  readonly isModelNamed: boolean;
}

/** The settings of the environment. */
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
    | 'EGRESS_DNS'
    | 'privateForStores'
  >;

const SECTIONS = ['graphdb', 'vectordb', 'embedding'] as const;
export type Section = (typeof SECTIONS)[number];

/** Takes each section from the first settings that have it. Pure. */
export function combine(latestFirst: readonly StoreSettings[]): StoreSettings {
  return Object.fromEntries(
    SECTIONS.flatMap((name) => {
      const section = latestFirst.map((settings) => settings[name]).find(isGiven);
      return section === undefined ? [] : [[name, section]];
    }),
  );
}

/**
 * Adds the sections that an initialization names to those that were named before. Pure.
 * @returns the settings, and the sections that were named before as other stores than now
 * @throws HoldfastError as `resolve`, for a section that is named now
 */
export function nameStores(
  before: StoreSettings,
  named: NamedStores,
  resolve: (settings: StoreSettings) => ResolvedStores,
): { readonly settings: StoreSettings; readonly differing: readonly Section[] } {
  const differing: Section[] = [];
  const settings = SECTIONS.flatMap((name) => {
    const [earlier, askedSection] = [before[name], named[name]];
    const keptSection = isGiven(earlier) ? [[name, earlier] as const] : [];
    if (askedSection !== null && !isGiven(askedSection)) return keptSection;
    const stores = resolve(askedSection === null ? {} : { [name]: askedSection });
    if (isGiven(earlier)) {
      if (isMeantBy({ [name]: earlier }, stores, resolve)) return keptSection;
      differing.push(name);
    }
    return askedSection === null ? [] : [[name, askedSection] as const];
  });
  return { settings: Object.fromEntries(settings), differing };
}

/** Whether settings mean these stores. Those that the environment no longer completes mean none. Pure. */
export function isMeantBy(
  settings: StoreSettings,
  { memory }: ResolvedStores,
  resolve: (settings: StoreSettings) => ResolvedStores,
): boolean {
  try {
    return JSON.stringify(resolve(settings).memory) === JSON.stringify(memory);
  } catch {
    return false;
  }
}

/**
 * Resolves settings by the environment of this process, which completes what they leave out. A configured password is
 * never sent to an address that these settings name. Pure.
 * @throws HoldfastError `VALIDATION` for a section that neither these settings nor the environment complete; its field
 * begins with the section's name
 */
export function resolveStores(
  config: StoresConfig,
  { graphdb, vectordb, embedding }: StoreSettings,
): ResolvedStores {
  const isModelNamed = isGiven(embedding) && !isAsConfigured(config, embedding);
  return {
    memory: {
      ...pickMemorySettings(config),
      ...(isGiven(graphdb) ? { neo4j: resolveGraph(config, graphdb) } : {}),
      ...(isGiven(vectordb)
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
    egress:
      uri === undefined
        ? undefined
        : { allowPrivate: mayBePrivate(config, allowPrivate), names: config.EGRESS_DNS },
  };
}

/**
 * An API applies its own setting each time; a worker applies what the API stored, unless its own setting refuses it.
 */
function mayBePrivate({ EGRESS_ALLOW_PRIVATE, privateForStores }: StoresConfig, stored: boolean): boolean {
  return privateForStores === 'as written' ? stored : EGRESS_ALLOW_PRIVATE;
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

/** No other model replaces one that a caller named. */
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

function isGiven<T extends object>(section: T | undefined): section is T {
  return section !== undefined && Object.values(section).some((value) => value !== undefined);
}
