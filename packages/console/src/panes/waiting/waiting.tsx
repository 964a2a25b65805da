import { hrefWith, place } from '../../address';
import { may } from '../../session';
import { LIVE_MS, useRead } from '../../api/ask';
import { read, type Schemas } from '../../api/client';
import { AskedTable } from '../../parts/asked-table';
import { Choice, FilterForm } from '../../parts/filter-fields';
import { pageOf } from '../../parts/rows';
import { Split } from '../../parts/split';
import { StatusSign } from '../../parts/status-sign';
import { Time } from '../../parts/time';
import { ApprovalDetail } from './approval-detail';

type Approval = Schemas['Approval'];

const STATUSES = ['pending', 'approved', 'denied', 'expired'] as const;
const NO_APPROVALS = {
  text: 'Calls that wait for a person are here, and runs that have used up a budget. This makes one:',
  request: {
    method: 'POST',
    path: '/api/tools/execute',
    body: {
      toolName: 'calculator',
      args: { operation: 'add', a: 1, b: 2 },
      options: { approval: { tools: 'all' } },
    },
  },
};

/** What waits for a person, and what was answered. */
export function Waiting() {
  const { approval } = place.value.params;
  return (
    <Split
      label="Approvals"
      list={<ApprovalList />}
      open={approval}
      detailLabel="Approval"
      detail={(id) => <ApprovalDetail id={id} />}
      closed={{ approval: undefined }}
    />
  );
}

function ApprovalList() {
  const status = STATUSES.find((each) => each === place.value.params['status']);
  return (
    <>
      <FilterForm label="Filter approvals">
        <Choice name="status" values={STATUSES} isFirst />
      </FilterForm>
      <AskedTable
        question={`approvals ${status}`}
        read={(cursor, signal) =>
          pageOf(read('/api/approvals', { query: { status, cursor } }, signal), 'approvals')
        }
        everyMs={LIVE_MS}
        empty={status === undefined ? NO_APPROVALS : { text: `No approval is ${status}.` }}
        label="Approvals"
        keyOf={({ id }) => id}
        hrefOf={({ id }) => hrefWith({ approval: id })}
        selected={place.value.params['approval']}
        columns={[
          { title: 'Question', cell: (row) => <Question approval={row} /> },
          { title: 'Status', cell: statusOf },
          { title: 'Asked', cell: ({ requestedAt }) => <Time at={requestedAt} />, isNumber: true },
        ]}
      />
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

const COUNT_MS = 5_000;
/** Of more, the number says that there are at least as many. */
const MAX_COUNT = 100;

/** The number of approvals that wait for a person, also while the page is hidden, since the title of its tab has it. */
export function useOpenCount(): number {
  const { data } = useRead(
    '/api/approvals',
    may('read') ? { query: { status: 'pending', limit: MAX_COUNT } } : undefined,
    { everyMs: COUNT_MS, whileHidden: true },
  );
  return data?.approvals.length ?? 0;
}
