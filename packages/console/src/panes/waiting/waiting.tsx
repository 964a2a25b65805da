import { go, hrefWith, place } from '../../address';
import { LIVE_MS, useAsked } from '../../api/ask';
import { client, dataOf, type Schemas } from '../../api/client';
import { Empty } from '../../parts/empty';
import { Choice, FilterForm } from '../../parts/filter-fields';
import { Fresh } from '../../parts/fresh';
import { Problem } from '../../parts/problem';
import { Split } from '../../parts/split';
import { StatusSign } from '../../parts/status-sign';
import { useStillRows } from '../../parts/still-rows';
import { Table } from '../../parts/table';
import { Time } from '../../parts/time';
import { ApprovalDetail } from './approval-detail';

type Approval = Schemas['Approval'];

const STATUSES = ['pending', 'approved', 'denied', 'expired'] as const;
const FIRST = {
  method: 'POST',
  path: '/api/tools/execute',
  body: {
    toolName: 'calculator',
    args: { operation: 'add', a: 1, b: 2 },
    options: { approval: { tools: 'all' } },
  },
};

/** What waits for a person, and what was answered. */
export function Waiting() {
  const { approval } = place.value.params;
  return (
    <Split
      label="Approvals"
      list={<ApprovalList />}
      detailKey={approval}
      detailLabel="Approval"
      detail={approval === undefined ? undefined : <ApprovalDetail key={approval} id={approval} />}
      onClose={() => go({ approval: undefined })}
    />
  );
}

function ApprovalList() {
  const status = STATUSES.find((each) => each === place.value.params['status']);
  const question = `approvals ${status ?? ''}`;
  const { data, problem } = useAsked(
    question,
    (signal) => dataOf(client.value.GET('/api/approvals', { params: { query: { status } }, signal })),
    { everyMs: LIVE_MS },
  );
  const { rows, changed, take } = useStillRows(question, data?.approvals, ({ id }) => id);
  return (
    <>
      <FilterForm label="Filter approvals">
        <Choice name="status" values={STATUSES} isFirst />
      </FilterForm>
      <Problem problem={problem} />
      <Fresh count={changed} take={take} />
      {data !== undefined && rows.length === 0 && (
        <Empty
          text={
            status === undefined
              ? 'Calls that wait for a person are here, and runs that have used up a budget. This makes one:'
              : `No approval is ${status}.`
          }
          request={status === undefined ? FIRST : undefined}
        />
      )}
      {rows.length > 0 && (
        <Table
          label="Approvals"
          rows={rows}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => hrefWith({ approval: id })}
          selected={place.value.params['approval']}
          columns={[
            { title: 'Question', cell: (row) => <Question approval={row} /> },
            { title: 'Status', cell: statusOf },
            { title: 'Asked', cell: ({ requestedAt }) => <Time at={requestedAt} />, isNumber: true },
          ]}
        />
      )}
    </>
  );
}

function Question({ approval: { message, toolName, step, kind } }: { approval: Approval }) {
  const what = toolName ?? (kind === 'budget' ? 'budget' : step);
  if (message === undefined) return <b>{what}</b>;
  return (
    <>
      <b>{message}</b> <span class="quiet">{what}</span>
    </>
  );
}

function statusOf({ status, by }: Approval) {
  return (
    <>
      <StatusSign status={status} /> {by !== undefined && <span class="quiet">by {by}</span>}
    </>
  );
}
