import { HoldfastError, validationError } from '../../base/errors';
import type { MemoryKind, RelationType } from './node';

/** The error of a change to a user who is being erased. */
export function memoryErasing(): HoldfastError {
  return new HoldfastError('MEMORY_ERASING', 'The memories of this user are being erased');
}

/** The error of an insert if the user already has `quota` memories of this kind. */
export function memoryQuota(kind: MemoryKind, quota: number): HoldfastError {
  return new HoldfastError(
    'MEMORY_QUOTA',
    `The user already has ${quota} ${kind} memories, the most allowed`,
    {
      details: { kind, quota },
    },
  );
}

/**
 * The error of a vector or a search in a space that the store does not use (any more). The caller embeds the text again for the
 * current space.
 */
export function vectorSpaceChanged(): HoldfastError {
  return new HoldfastError('VECTOR_SPACE_CHANGED', 'The embedding model of the memories has changed', {
    retryable: true,
  });
}

/** The error of an insert whose id belongs to a memory of another user or kind. */
export function idTaken(): HoldfastError {
  return validationError('id', 'The id is taken');
}

export type RelationshipField = 'previous' | 'next' | 'related' | 'similar' | 'parent' | 'children';

/** The error of an invalid neighbour or relation. `message` continues a sentence that begins with the name of the field. */
export function relationshipRefused(field: RelationshipField, message: string): HoldfastError {
  return validationError(`relationships.${field}`, `relationships.${field} ${message}`);
}

/** The field of the API that sets a relation. */
export function relationField(type: RelationType, direction: 'out' | 'in'): RelationshipField {
  if (type !== 'parent') return type;
  return direction === 'out' ? 'parent' : 'children';
}
