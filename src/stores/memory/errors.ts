import { HoldfastError, validationError } from '../../base/errors';
import type { MemoryKind, RelationType } from './node';

/** A change while the user is being erased. */
export function memoryErasing(): HoldfastError {
  return new HoldfastError('MEMORY_ERASING', 'The memories of this user are being erased');
}

/** One memory more than `quota` of this kind. */
export function memoryQuota(kind: MemoryKind, quota: number): HoldfastError {
  return new HoldfastError(
    'MEMORY_QUOTA',
    `The user already has ${quota} ${kind} memories, the most allowed`,
    {
      details: { kind, quota },
    },
  );
}

/** A vector or a search of a space that the store does not use (any more): to be made again in the current one. */
export function vectorSpaceChanged(): HoldfastError {
  return new HoldfastError('VECTOR_SPACE_CHANGED', 'The embedding model of the memories has changed', {
    retryable: true,
  });
}

/** An id that is taken by a memory of another user or kind. */
export function idTaken(): HoldfastError {
  return validationError('id', 'The id is taken');
}

export type RelationshipField = 'previous' | 'next' | 'related' | 'similar' | 'parent' | 'children';

/** A neighbour or a relation that cannot be; `message` starts with what the field names. */
export function relationshipRefused(field: RelationshipField, message: string): HoldfastError {
  return validationError(`relationships.${field}`, `relationships.${field} ${message}`);
}

/** The field of the API that a relation comes from. */
export function relationField(type: RelationType, direction: 'out' | 'in'): RelationshipField {
  if (type !== 'parent') return type;
  return direction === 'out' ? 'parent' : 'children';
}
