import { hrefOf } from '../../address';
import { read } from '../../api/client';
import { AskedTable } from '../../parts/asked-table';
import { FilterForm, Text } from '../../parts/filter-fields';
import { pageOf } from '../../parts/rows';
import { Time } from '../../parts/time';
import { mayForAll } from '../../session';
import { changes } from './changes';

/** The request that makes the first memory. */
const FIRST = {
  method: 'POST',
  path: '/api/memory/episodic',
  body: { userId: 'ann', sessionId: 'monday', content: 'I live in Leeds.' },
};

/** Who has memories, by name. */
export function Users() {
  return (
    <>
      <FilterForm label="Open a user">
        <Text name="user" placeholder="user" isFirst />
      </FilterForm>
      {mayForAll('admin') && (
        <AskedTable
          question="users"
          read={(cursor, signal) => pageOf(read('/api/memory/users', { query: { cursor } }, signal), 'users')}
          version={changes.value}
          empty={{ text: 'Users who have memories are here. This makes one:', request: FIRST }}
          label="Users"
          keyOf={({ userId }) => userId}
          hrefOf={({ userId }) => hrefOf('memory', { user: userId })}
          columns={[
            { title: 'User', cell: ({ userId }) => <b>{userId}</b> },
            { title: 'Events', cell: ({ episodic }) => episodic, isNumber: true },
            { title: 'Concepts', cell: ({ semantic }) => semantic, isNumber: true },
            { title: 'Last', cell: ({ last }) => <Time at={last} />, isNumber: true, isMinor: true },
          ]}
        />
      )}
    </>
  );
}

/** The sessions of a user. */
export function Sessions({ user }: { user: string }) {
  return (
    <AskedTable
      question="sessions"
      read={(cursor, signal) => {
        const params = { path: { userId: user }, query: { cursor } };
        return pageOf(read('/api/memory/sessions/{userId}', params, signal), 'sessions');
      }}
      version={changes.value}
      empty={{ text: 'Sessions of the user are here, once there are events.' }}
      label="Sessions"
      keyOf={({ sessionId }) => sessionId}
      hrefOf={({ sessionId: session }) => hrefOf('memory', { user, view: 'memories', session })}
      columns={[
        { title: 'Session', cell: ({ sessionId }) => <b>{sessionId}</b> },
        { title: 'Events', cell: ({ memories }) => memories, isNumber: true },
        { title: 'Last', cell: ({ last }) => <Time at={last} />, isNumber: true, isMinor: true },
        {
          title: 'Chat',
          cell: ({ sessionId: session }) => <a href={hrefOf('chat', { user, session })}>open</a>,
        },
      ]}
    />
  );
}
