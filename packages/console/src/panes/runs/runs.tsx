import { hrefWith, place } from '../../address';
import { LIVE_MS } from '../../api/ask';
import { read } from '../../api/client';
import { AskedTable } from '../../parts/asked-table';
import { formatTook } from '../../parts/format';
import { pageOf } from '../../parts/rows';
import { Split } from '../../parts/split';
import { StatusSign } from '../../parts/status-sign';
import { now, Time } from '../../parts/time';
import { FilterBar, type Filters, isFiltered, queryOf } from './filters';
import { RunDetail } from './run-detail';
import { nameOfRun, typeInWords } from './run-name';

/** The runs of the service, and one of them. */
export function Runs() {
  const { run } = place.value.params;
  return (
    <Split
      label="Runs"
      list={
        <>
          <FilterBar />
          <RunList />
        </>
      }
      open={run}
      detailLabel="Run"
      detail={(traceId) => <RunDetail traceId={traceId} />}
      closed={{ run: undefined, step: undefined, rerun: undefined }}
    />
  );
}

const NO_RUNS = {
  text: 'Runs are here: each tool call, workflow and turn is one. This makes the first:',
  request: {
    method: 'POST',
    path: '/api/tools/execute',
    body: { toolName: 'calculator', args: { operation: 'add', a: 2, b: 3 } },
  },
};

const readPage = (query: Filters, cursor: string | undefined, signal?: AbortSignal) =>
  pageOf(read('/api/runs', { query: { ...query, cursor } }, signal), 'runs');

/** The runs that the filters let through, newest first. */
export function RunList() {
  const query = queryOf(place.value.params);
  return (
    <AskedTable
      question={`runs ${JSON.stringify(query)}`}
      read={(cursor, signal) => readPage(query, cursor, signal)}
      everyMs={LIVE_MS}
      empty={isFiltered(query) ? { text: 'No run matches these filters.' } : NO_RUNS}
      label="Runs"
      keyOf={({ traceId }) => traceId}
      hrefOf={({ traceId }) => hrefWith({ run: traceId, step: undefined, rerun: undefined })}
      selected={place.value.params['run']}
      columns={[
        {
          title: 'Run',
          cell: (run) => (
            <>
              <b>{nameOfRun(run) ?? typeInWords(run.type)}</b>{' '}
              {nameOfRun(run) !== undefined && <span class="quiet">{typeInWords(run.type)}</span>}
            </>
          ),
        },
        { title: 'Status', cell: ({ status }) => <StatusSign status={status} /> },
        { title: 'Took', cell: (run) => formatTook(run, now.value), isNumber: true, isMinor: true },
        { title: 'Started', cell: ({ startedAt }) => <Time at={startedAt} />, isNumber: true },
      ]}
    />
  );
}
