import type { RelatedMemory, Relationship } from './node';

/** Those of a session come first. */
const ORDER: readonly Relationship[] = ['previous', 'next', 'child', 'parent', 'related', 'similar'];

/** For sorting what `MemoryGraph.related` returns: neighbours, then by relationship, then by id. */
export function compareRelated(x: RelatedMemory, y: RelatedMemory): number {
  return ORDER.indexOf(x.relationship) - ORDER.indexOf(y.relationship) || (x.id < y.id ? -1 : 1);
}
