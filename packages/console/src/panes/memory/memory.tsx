import { hrefOf, hrefWith, place } from '../../address';
import { useRead } from '../../api/ask';
import { bodyOf, client } from '../../api/client';
import { Actions } from '../../parts/actions';
import { Problem } from '../../parts/problem';
import { isName } from '../../hash';
import { Split } from '../../parts/split';
import { caller } from '../../session';
import { changes, CLOSED } from './changes';
import { OpenDetail } from './detail';
import { Facts } from './facts';
import { FORMS } from './forms';
import { Memories } from './memories';
import { Sessions, Users } from './names';

/** The users who have memories, what is remembered of one of them, and what can be done about it. */
export function Memory() {
  const { memory, fact, form, import: report, receipt, ...params } = place.value.params;
  const user = caller.value?.userId ?? params['user'];
  if (!isName(user)) return <Split label="Users" list={<Users />} closed={{}} />;
  const open = memory ?? fact ?? report ?? receipt ?? form;
  return (
    <Split
      key={user}
      label="Memory"
      list={<OfUser user={user} />}
      open={open}
      detail={() => <OpenDetail user={user} />}
      closed={CLOSED}
    />
  );
}

const VIEWS = { facts: Facts, memories: Memories, sessions: Sessions };

async function exportMemories(userId: string): Promise<void> {
  const params = { path: { userId } };
  const call = client.value.GET('/api/memory/export/{userId}', { params, parseAs: 'blob' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await bodyOf<Blob>(call));
  link.download = 'memories.ndjson';
  link.click();
  // The browser may read it later than this turn of its event loop.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

function OfUser({ user }: { user: string }) {
  const params = { path: { userId: user } };
  const { data, problem } = useRead('/api/memory/stats/{userId}', params, { version: changes.value });
  const { view } = place.value.params;
  const shown = view === 'memories' || view === 'sessions' ? view : 'facts';
  const View = VIEWS[shown];
  return (
    <>
      <div class="of-user">
        <p>
          <a href={hrefOf('memory')}>‹ Users</a>
        </p>
        <h2>{user}</h2>
        <p class="quiet">
          events: {data?.episodic.count ?? '…'} · concepts: {data?.semantic.count ?? '…'}
        </p>
        <div class="actions">
          {Object.entries(FORMS)
            .filter(([, { isShown }]) => isShown?.() !== false)
            .map(([form, { action }]) => (
              <a key={form} class="button" href={hrefWith({ ...CLOSED, form })} data-opens={form}>
                {action}
              </a>
            ))}
          <Actions actions={[{ name: 'Export', act: () => exportMemories(user) }]} />
        </div>
        <nav aria-label="Views">
          {Object.keys(VIEWS).map((each) => (
            <a
              key={each}
              href={hrefOf('memory', { user, view: each })}
              aria-current={each === shown ? 'page' : undefined}
            >
              {each}
            </a>
          ))}
        </nav>
      </div>
      <Problem problem={problem} />
      <View user={user} hasConcepts={(data?.semantic.count ?? 0) > 0} />
    </>
  );
}
