import { hrefWith, place } from '../../address';
import { client, dataOf, read } from '../../api/client';
import { readEvents } from '../../api/events';
import { AskedTable } from '../../parts/asked-table';
import { Choice, FilterForm, Text } from '../../parts/filter-fields';
import { type Page, pageOf } from '../../parts/rows';
import type { Column } from '../../parts/table';
import { Time } from '../../parts/time';
import { AsOf, readAsOf } from './as-of';
import { changes, CLOSED } from './changes';

/** A memory of either kind, as lists and searches have it. */
interface Row {
  readonly id: string;
  readonly content?: string;
  readonly timestamp?: string;
  readonly concept?: string;
  readonly description?: string;
  readonly relevanceScore?: number;
  readonly similarityScore?: number;
  readonly explanation?: Explanation | undefined;
}

/** Finds memories by a query, those of a session, or all of a kind. */
async function readPage(
  userId: string,
  hasConcepts: boolean,
  cursor: string | undefined,
  signal?: AbortSignal,
): Promise<Page<Row>> {
  const { q: query, session: sessionId, ...params } = place.value.params;
  const asOf = readAsOf();
  // A service without a store of concepts refuses to look for them.
  const type = params['type'] === 'concepts' && hasConcepts ? ('semantic' as const) : undefined;
  if (query !== undefined) {
    const { episodic, semantic } = await searchMemories({ userId, query, type, asOf }, signal);
    return { rows: [...episodic, ...semantic] };
  }
  if (sessionId !== undefined) return readEvents({ userId, sessionId, asOf }, cursor, signal);
  const list = { path: { userId }, query: { type, cursor } };
  return pageOf(read('/api/memory/list/{userId}', list, signal), 'memories');
}

const SCORE: Column<Row> = {
  title: 'Score',
  cell: ({ relevanceScore, similarityScore }) => (relevanceScore ?? similarityScore)?.toFixed(2),
  isNumber: true,
};

/** The memories of a user, and a search over them. */
export function Memories({ user, hasConcepts }: { user: string; hasConcepts: boolean }) {
  const { q, session, type, asOf, memory } = place.value.params;
  return (
    <>
      <FilterForm label="Search memories">
        <Text name="q" placeholder="search" isFirst type="search" />
        <Text name="session" placeholder="session" />
        {hasConcepts && <Choice name="type" values={['concepts']} none={q ? 'both kinds' : 'events'} />}
        {(q ?? session) !== undefined && <AsOf />}
      </FilterForm>
      <AskedTable
        question={JSON.stringify([q, session, type, asOf, hasConcepts])}
        read={(cursor, signal) => readPage(user, hasConcepts, cursor, signal)}
        version={changes.value}
        empty={{ text: 'No memory is found.' }}
        label="Memories"
        keyOf={({ id }) => id}
        hrefOf={({ id, concept }) =>
          hrefWith({ ...CLOSED, memory: id, kind: concept === undefined ? undefined : 'semantic' })
        }
        selected={memory}
        columns={[
          {
            title: 'Memory',
            cell: ({ content, concept, description, explanation }) => (
              <>
                <span class="excerpt">{content ?? `${concept}: ${description}`}</span>
                {explanation !== undefined && <span class="why">{explain(explanation)}</span>}
              </>
            ),
          },
          ...(q === undefined ? [] : [SCORE]),
          {
            title: 'When',
            cell: ({ timestamp }) => timestamp && <Time at={timestamp} />,
            isNumber: true,
            isMinor: true,
          },
        ]}
      />
    </>
  );
}

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
