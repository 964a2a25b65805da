import type { RelatedMemory } from '../../stores/memory/node';

/** Whether callers have connected a memory with others, besides its place in its session. Pure. */
export function hasRelations(related: readonly RelatedMemory[]): boolean {
  return related.some(({ relationship }) => relationship !== 'previous' && relationship !== 'next');
}
