import type { Fact } from '../../contracts/facts';

/**
 * Leaves out of a memory the clauses that say only what holds no more, so that no answer quotes them.
 * @param facts those of the user, of any time
 * @param certain whether clauses that say only what is doubted are left out too
 * @returns undefined where nothing of the text stands
 */
export function standingText(
  memoryId: string,
  text: string,
  facts: readonly Fact[],
  certain = false,
): string | undefined {
  const mentions = facts.flatMap((fact) =>
    fact.sources
      .filter((source) => source.memoryId === memoryId)
      .map(({ start, end }) => ({
        start,
        end,
        ended: fact.validTo !== undefined || (certain && fact.doubtedAt !== undefined),
      })),
  );
  const stands = (start: number, end: number): boolean =>
    mentions.some((other) => !other.ended && other.start < end && other.end > start);
  let left = text;
  for (const { start, end, ended } of [...mentions].sort((one, other) => other.start - one.start))
    if (ended && !stands(start, end)) left = left.slice(0, start) + left.slice(Math.min(end, left.length));
  return /\p{L}/u.test(left) ? left.trim() : undefined;
}

/** Finds which memories say only what surely holds no more. Pure. @param facts those of the user, of any time */
export function findsSuperseded(
  facts: readonly Fact[],
): (memory: { readonly id: string; readonly text: string }) => boolean {
  const certain = facts.filter((fact) => fact.certain);
  const mentioned = new Set(certain.flatMap(({ sources }) => sources.map(({ memoryId }) => memoryId)));
  return ({ id, text }) => mentioned.has(id) && standingText(id, text, certain) === undefined;
}
