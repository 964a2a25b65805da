import { client, dataOf } from '../../api/client';

interface Query {
  readonly userId: string;
  readonly query: string;
  readonly type: 'semantic' | undefined;
  readonly asOf: string | undefined;
}

export const searchMemories = (query: Query, signal?: AbortSignal) =>
  dataOf(client.value.POST('/api/memory/search', { body: { ...query, explain: true }, signal }));

type Found = Awaited<ReturnType<typeof searchMemories>>['episodic'][number];
export type Explanation = NonNullable<Found['explanation']>;

/** Says in words why a search has found a memory, and what its place comes from. Pure. */
export function explain(explanation: Explanation): string {
  const { words, meaning, coverage, dateBoost, score } = explanation;
  const { ownRelevance, previousRelevance, nextRelevance } = explanation;
  const parts = [
    `${Math.round(100 * coverage)} % of the words`,
    words && `no. ${words.rank} by words`,
    meaning && `no. ${meaning.rank} by meaning (${meaning.score.toFixed(2)})`,
    previousRelevance > ownRelevance && 'found by the event before it',
    nextRelevance > ownRelevance && 'found by the event after it',
    dateBoost > 0 && `its time is asked for (+${dateBoost.toFixed(2)})`,
    `ordered by ${score.toFixed(2)}`,
  ];
  return parts.filter((part) => typeof part === 'string').join(' · ');
}
