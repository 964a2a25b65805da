import { hrefWith, place } from '../../address';
import { read } from '../../api/client';
import { readEvents } from '../../api/events';
import { AskedTable } from '../../parts/asked-table';
import { Choice, FilterForm, Text } from '../../parts/filter-fields';
import { type Page, pageOf } from '../../parts/rows';
import type { Column } from '../../parts/table';
import { Time } from '../../parts/time';
import { AsOf, readAsOf } from './as-of';
import { changes, CLOSED } from './changes';
import { type Explanation, explain, searchMemories } from './search';

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
