import type { Config } from '../../settings/config';
import { LEXICAL_MODEL } from '../../embeddings/lexical/lexical-embedder';
import { HUB_NAME } from '../../contracts/http/embedding-models';
import { validationError } from '../../base/errors';
import type { StoreSettings, ResolvedStores } from './settings';
import { describeFailure } from '../../egress/failures';
import { parseHost, createResolverFor } from '../../egress/host';
import { resolveAllowed, type Resolver } from '../../egress/resolver';
import { memoryUnavailable } from './connect';

export type NamedConfig = Pick<
  Config,
  | 'NEO4J_DATABASE'
  | 'PINECONE_API_KEY'
  | 'PINECONE_INDEX'
  | 'MEMORY_EMBEDDING_MODEL'
  | 'MEMORY_EMBEDDING_MODELS'
>;

/**
 * Refuses settings that a caller may not name. The operator's credentials are only for the configured database and the
 * configured index, and models come from a list, because a fetched model stays on disk. The API checks each
 * initialization when it arrives; one that was accepted stays valid, even if the environment changes. Pure.
 * @throws HoldfastError `VALIDATION`; its field begins with the section's name
 */
export function checkNamed(config: NamedConfig, { graphdb, vectordb, embedding }: StoreSettings): void {
  checkDatabase(config, graphdb);
  checkIndex(config, vectordb);
  checkModel(config, embedding?.model);
}

function checkDatabase(
  { NEO4J_DATABASE }: NamedConfig,
  { uri, username, password, database }: NonNullable<StoreSettings['graphdb']> = {},
): void {
  if (uri !== undefined) return;
  const isOwn = username !== undefined && password !== undefined;
  if (database !== undefined && database !== NEO4J_DATABASE && !isOwn) {
    throw validationError(
      'graphdb.database',
      'is not the configured one, and the configured credentials are not sent to another: ' +
        'send graphdb.username and graphdb.password with it, and graphdb.uri for another server',
    );
  }
  if (isOwn || (username === undefined && password === undefined)) return;
  throw validationError(
    username === undefined ? 'graphdb.username' : 'graphdb.password',
    'is needed too: configured credentials are not combined with those of the request',
  );
}

function checkIndex(
  { PINECONE_API_KEY, PINECONE_INDEX }: NamedConfig,
  { apiKey, indexName }: NonNullable<StoreSettings['vectordb']> = {},
): void {
  if (indexName === undefined || indexName === PINECONE_INDEX || apiKey !== undefined) return;
  if (PINECONE_API_KEY === undefined) return;
  throw validationError(
    'vectordb.indexName',
    'is not the configured one, and the configured key is not sent to another: send vectordb.apiKey with it',
  );
}

function checkModel(
  { MEMORY_EMBEDDING_MODEL, MEMORY_EMBEDDING_MODELS }: NamedConfig,
  model: string | undefined,
): void {
  if (model === undefined || model === MEMORY_EMBEDDING_MODEL || model === LEXICAL_MODEL) return;
  if (MEMORY_EMBEDDING_MODELS.includes(model)) return;
  // The path of a local folder is not shown: a caller cannot name it, and should not read it.
  const known = [MEMORY_EMBEDDING_MODEL, ...MEMORY_EMBEDDING_MODELS, LEXICAL_MODEL].filter((name) =>
    HUB_NAME.test(name),
  );
  throw validationError(
    'embedding.model',
    `has to be one of ${[...new Set(known)].join(', ')}; the setting MEMORY_EMBEDDING_MODELS lists others that may be named`,
  );
}

/**
 * Refuses a graph store at an address that a caller named, if the policy for outgoing connections does not allow it,
 * before anything is opened. The policy is checked again for each connection. Addresses from the environment are the
 * operator's, and are not checked.
 * @throws HoldfastError `MEMORY_UNAVAILABLE`
 */
export function createAddressCheck(resolve: Resolver): (stores: ResolvedStores) => Promise<void> {
  return async ({ memory: { neo4j } }) => {
    if (neo4j?.egress === undefined) return;
    const host = namedHost(neo4j.uri);
    try {
      await resolveAllowed(host, createResolverFor(host, resolve), neo4j.egress.allowPrivate);
    } catch (error) {
      throw memoryUnavailable('graphdb', `${describeFailure(error).description}; check graphdb.uri`, error);
    }
  };
}

function namedHost(uri: string): string {
  try {
    return parseHost(uri);
  } catch {
    throw memoryUnavailable('graphdb', 'its address names no host; check graphdb.uri');
  }
}
