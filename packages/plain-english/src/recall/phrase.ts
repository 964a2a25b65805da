import type { Match } from './match';
import type { MemoryAnswer } from './types';

/** `You told me on 2026-11-20: you prefer tea.` */
export function tellMatches(matches: readonly Match[]): MemoryAnswer {
  const [first] = matches;
  const sourceIds = [...new Set(matches.map(({ statement }) => statement.memory.id))];
  if (matches.length === 1 && first)
    return { text: `${source(first)}: ${first.statement.tell()}.`, sourceIds };
  const days = new Set(matches.map(dayOf));
  if (first && days.size === 1) {
    return {
      text: `${source(first)}: ${joinAll(matches.map(({ statement }) => statement.tell()))}.`,
      sourceIds,
    };
  }
  const told = matches.map((one) => {
    const day = dayOf(one);
    return day === undefined ? one.statement.tell() : `${one.statement.tell()} (${day})`;
  });
  return { text: `${first ? teller(first) : ''}: ${joinAll(told)}.`, sourceIds };
}

/** `Yes: you told me on 2026-11-20 that you are vegan.` */
export function tellWhether(matches: readonly Match[]): MemoryAnswer | undefined {
  const [first] = matches;
  if (!first) return undefined;
  return {
    text: `${first.holds ? 'Yes' : 'No'}. ${source(first)}: ${first.statement.tell()}.`,
    sourceIds: [first.statement.memory.id],
  };
}

/** Where a statement comes from: `You told me on 2026-11-20`. */
export function source(found: Match): string {
  const day = dayOf(found);
  return day === undefined ? teller(found) : `${teller(found)} on ${day}`;
}

function teller({ statement: { memory } }: Match): string {
  if (memory.kind === 'semantic') return 'I have kept';
  return memory.role === 'assistant' ? 'I said' : 'You told me';
}

function dayOf({ statement: { at } }: Match): string | undefined {
  return Number.isFinite(at) ? new Date(at).toISOString().slice(0, 10) : undefined;
}

export function joinAll(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join('; ')}; and ${last}`;
}

/** Clauses in one sentence: `your name is Dana, and you prefer tea`. */
export function joinClauses(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')}, and ${last}`;
}
