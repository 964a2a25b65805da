import type { RelatedMemory, Relationship } from './node';

/** The order of relationships: the neighbours in a session come first. */
const ORDER: readonly Relationship[] = ['previous', 'next', 'child', 'parent', 'related', 'similar'];

/** Compares two results of `MemoryGraph.related` for sorting: neighbours first, then by relationship, then by id. */
export function compareRelated(x: RelatedMemory, y: RelatedMemory): number {
  return ORDER.indexOf(x.relationship) - ORDER.indexOf(y.relationship) || (x.id < y.id ? -1 : 1);
}
