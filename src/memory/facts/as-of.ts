import type { MemoryNode } from '../../stores/memory/node';
import type { MemoryFilters } from '../../stores/memory/search';
import { contentOf } from '../nodes/episodic-node';
import type { Facts } from './facts';
import { createStandingText } from './sayings';

/** The time as of which memories are read, as callers ask for it. */
export interface AsOf {
  /** Epoch milliseconds; absent: now. Memories that were made later are left out. */
  readonly asOf?: number | undefined;
  /** Whether memories are read too that say only what does not hold then. */
  readonly history?: boolean | undefined;
}

/** Adds to filters that a memory was made by the time. Pure. */
export function madeBy(filters: MemoryFilters, { asOf }: AsOf): MemoryFilters {
  return asOf === undefined ? filters : { ...filters, to: Math.min(filters.to ?? Infinity, asOf) };
}

/** Finds which memories of a user say only what surely does not hold at a time. */
export async function readSuperseded(
  facts: Pick<Facts, 'list'>,
  userId: string,
  { asOf, history }: AsOf,
): Promise<(node: MemoryNode) => boolean> {
  if (history === true) return () => false;
  const known = (await facts.list(userId)).filter(({ certain }) => certain);
  const standingText = createStandingText(known, false, asOf);
  return (node) => node.kind === 'episodic' && standingText(node.id, contentOf(node)) === undefined;
}
