import { go, hrefWith, place } from '../../address';
import { read } from '../../api/client';
import { AskedTable } from '../../parts/asked-table';
import { FilterForm } from '../../parts/filter-fields';
import { AsOf, readAsOf } from './as-of';
import { changes, CLOSED } from './changes';

interface FactQuery {
  readonly asOf?: string | undefined;
  readonly history: boolean;
  readonly uncertain?: boolean;
}

/** Up to as many as the API lists at once. */
const PAGE = 1_000;

/** Reads a page of facts. `next` is how many there are before the next one. */
export async function readFacts(userId: string, query: FactQuery, next = '0', signal?: AbortSignal) {
  const offset = Number(next);
  const params = { path: { userId }, query: { ...query, limit: PAGE, offset } };
  const page = await read('/api/memory/facts/{userId}', params, signal);
  return { rows: page.facts, next: offset + PAGE < page.total ? String(offset + PAGE) : undefined };
}

type Fact = Awaited<ReturnType<typeof readFacts>>['rows'][number];

export const nameOf = ({ subject, attribute }: Fact): string =>
  subject === 'user' ? attribute : `${subject}, ${attribute}`;

/** From when to when a fact held, in words. Pure. */
export function heldOf({ validFrom, validTo, neverHeld, doubtedAt }: Fact): string {
  if (neverHeld === true) return 'never held';
  const end = validTo?.slice(0, 10) ?? (doubtedAt === undefined ? 'now' : 'in doubt');
  return `${validFrom.slice(0, 10)} – ${end}`;
}

/** The facts that hold, or that held at a time, each as a bar in time. */
export function Facts({ user }: { user: string }) {
  const { history, fact } = place.value.params;
  const query = { asOf: readAsOf(), history: history === 'true' };
  return (
    <>
      <FilterForm label="Facts at a time">
        <AsOf />
        <label>
          <input
            type="checkbox"
            checked={query.history}
            onChange={() => go({ history: query.history ? undefined : 'true' })}
          />{' '}
          also what held before
        </label>
      </FilterForm>
      <AskedTable
        question={`facts ${JSON.stringify(query)}`}
        read={async (offset, signal) => {
          const { rows, next } = await readFacts(user, query, offset, signal);
          const first = Math.min(...rows.map(({ validFrom }) => Date.parse(validFrom)));
          const end = query.asOf === undefined ? Date.now() : Date.parse(query.asOf);
          return { rows: rows.map((each) => ({ ...each, ...barOf(each, first, end) })), next };
        }}
        version={changes.value}
        empty={{ text: 'No fact holds at this time. “I live in Leeds”, said by the user, makes one.' }}
        label="Facts"
        keyOf={({ id }) => id}
        hrefOf={({ id }) => hrefWith({ ...CLOSED, fact: id })}
        selected={fact}
        columns={[
          {
            title: 'Fact',
            cell: (row) => (
              <span class="excerpt">
                <b>{nameOf(row)}</b> {row.value}
              </span>
            ),
          },
          {
            title: 'Held',
            cell: (row) => (
              <div class={row.neverHeld === true ? 'held never' : 'held'}>
                {heldOf(row)}
                <div class="track" aria-hidden="true">
                  <span class={row.validTo === undefined ? 'bar running' : 'bar'} style={row.bar} />
                </div>
              </div>
            ),
          },
        ]}
      />
    </>
  );
}

/** Where the bar of a fact is between the first time of all and the end. */
function barOf({ validFrom, validTo }: Fact, first: number, end: number) {
  const share = (time: number): number => (100 * (time - first)) / Math.max(1, end - first);
  const left = share(Date.parse(validFrom));
  const right = Math.min(100, share(validTo === undefined ? end : Date.parse(validTo)));
  return { bar: { left: `${left}%`, width: `${right - left}%` } };
}
