import { HoldfastError, isHoldfastError, messageOf } from '../../errors';
import type { MemoryComponent } from '../../contracts/memory';

/** Settings as error texts name them, and the fields of an initialization that mean the same. */
const FIELDS: readonly (readonly [RegExp, string])[] = [
  [/NEO4J_(URI|USERNAME|PASSWORD|DATABASE)/g, 'graphdb.$1'],
  [/PINECONE_API_KEY/g, 'vectordb.apiKey'],
  [/PINECONE_INDEX/g, 'vectordb.indexName'],
  [/MEMORY_EMBEDDING_(MODEL|DIMENSIONS)/g, 'embedding.$1'],
];

/** `MEMORY_UNAVAILABLE`, details `{ service, reason }`: stores that were to be used cannot be. */
export function memoryUnavailable(service: MemoryComponent, reason: string, cause?: unknown): HoldfastError {
  return new HoldfastError('MEMORY_UNAVAILABLE', `${NAMES[service]} cannot be used: ${reason}`, {
    details: { service, reason },
    ...(cause === undefined ? {} : { cause }),
  });
}

const NAMES: Readonly<Record<MemoryComponent, string>> = {
  graphdb: 'The graph store',
  vectordb: 'The vector store',
  embedder: 'The embedding model',
};

/** What went wrong, in words that may be shown and that name the fields of an initialization. Pure. */
export function reasonOf(error: unknown): string {
  if (!isHoldfastError(error)) return 'it answers otherwise than expected';
  const { reason } = error.details ?? {};
  const text = typeof reason === 'string' ? reason : messageOf(error);
  return FIELDS.reduce(
    (words, [setting, field]) =>
      words.replace(setting, (...found: string[]) => field.replace('$1', (found[1] ?? '').toLowerCase())),
    text,
  );
}
