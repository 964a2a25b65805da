import { HoldfastError, isHoldfastError, messageOf } from '../../base/errors';
import type { MemoryComponent } from '../../contracts/http/memory';

/** The field of an initialization for each setting that error texts name. */
const FIELDS: Readonly<Record<string, string>> = {
  NEO4J_URI: 'graphdb.uri',
  NEO4J_USERNAME: 'graphdb.username',
  NEO4J_PASSWORD: 'graphdb.password',
  NEO4J_DATABASE: 'graphdb.database',
  PINECONE_API_KEY: 'vectordb.apiKey',
  PINECONE_INDEX: 'vectordb.indexName',
  MEMORY_EMBEDDING_MODEL: 'embedding.model',
  MEMORY_EMBEDDING_DIMENSIONS: 'embedding.dimensions',
};

/** `MEMORY_UNAVAILABLE`, details `{ service, reason }`: a requested store cannot be used. */
export function memoryUnavailable(service: MemoryComponent, reason: string, cause?: unknown): HoldfastError {
  return new HoldfastError('MEMORY_UNAVAILABLE', `${NAMES[service]} cannot be used: ${reason}`, {
    details: { service, reason },
    cause,
  });
}

const NAMES: Readonly<Record<MemoryComponent, string>> = {
  graphdb: 'The graph store',
  vectordb: 'The vector store',
  embedder: 'The embedding model',
};

/** Describes a failure in words that callers may see and that name the fields of an initialization. Pure. */
export function toReason(error: unknown): string {
  if (!isHoldfastError(error)) return 'its answer is not as expected';
  const { reason, field, message } = error.details ?? {};
  const text = typeof reason === 'string' ? reason : messageOf(error);
  if (typeof field === 'string' && typeof message === 'string') return `${field} ${message}`;
  return text.replace(/\b[A-Z\d]+(?:_[A-Z]+)+\b/g, (name) => FIELDS[name] ?? name);
}
