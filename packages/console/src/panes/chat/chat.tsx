import { place } from '../../address';
import { useRead } from '../../api/ask';
import { client, dataOf } from '../../api/client';
import { Actions } from '../../parts/actions';
import { Empty } from '../../parts/empty';
import { Choice, FilterForm, Text } from '../../parts/filter-fields';
import { isName } from '../../hash';
import { Problem } from '../../parts/problem';
import { Split } from '../../parts/split';
import { caller, may, mayForAll } from '../../session';
import { APPROVALS, Composer } from './composer';
import { Turns } from './turns';
import { TurnDetail } from './turn-detail';

const FIRST = {
  method: 'POST',
  path: '/api/agent/execute',
  body: { query: 'What is 15 times 7?', options: { userId: 'ann', sessionId: 'monday' } },
};

/** A conversation of a user with the agent, and what one of its turns did. */
export function Chat() {
  const { session, turn, ...params } = place.value.params;
  const user = caller.value?.userId ?? params['user'];
  const { data } = useRead('/api/agents', {});
  const agents = (data?.agents ?? []).map(({ id }) => id);
  return (
    <Split
      label="Conversation"
      list={
        <div class="chat">
          <FilterForm label="Who speaks">
            <Text name="user" placeholder="user" isFirst />
            <Text name="session" placeholder="session" />
            {agents.length > 0 && <Choice name="agent" values={agents} none="no named agent" />}
            <Choice name="approval" values={APPROVALS} none="approvals as declared" />
          </FilterForm>
          {isName(user) && isName(session) ? (
            <Talk key={JSON.stringify([user, session])} user={user} session={session} />
          ) : (
            <Empty
              text="Say which user speaks, in which session. A program does so as here:"
              request={FIRST}
            />
          )}
        </div>
      }
      open={turn}
      detailLabel="Turn"
      detail={(traceId) => <TurnDetail traceId={traceId} />}
      closed={{ turn: undefined }}
    />
  );
}

/** The conversation, once the agent is initialized: before, a message would be refused. */
function Talk(who: { readonly user: string; readonly session: string }) {
  const { data, problem, again } = useRead('/api/agent/status', {});
  const initialize = () => dataOf(client.value.POST('/api/agent/initialize', { body: {} }));
  return (
    <>
      <Turns {...who} />
      <Problem problem={problem} />
      {data?.initialized === true && may('run') && <Composer {...who} />}
      {data?.initialized === false && (
        <div class="composer">
          The agent of this service is not initialized.
          {mayForAll('admin') && caller.value?.tenant === 'default' && (
            <Actions
              actions={[{ name: 'Initialize the agent', isMain: true, act: initialize }]}
              onDone={again}
            />
          )}
        </div>
      )}
    </>
  );
}
