import { useState } from 'preact/hooks';
import { hrefWith, place } from '../../address';
import { LIVE_MS, useAsked } from '../../api/ask';
import { type ApiProblem, client, dataOf, toProblem } from '../../api/client';
import { Empty } from '../../parts/empty';
import { formatDuration } from '../../parts/format';
import { Fresh } from '../../parts/fresh';
import { Problem } from '../../parts/problem';
import { StatusSign } from '../../parts/status-sign';
import { useStillRows } from '../../parts/still-rows';
import { Table } from '../../parts/table';
import { now, Time } from '../../parts/time';
import { type Filters, isFiltered, queryOf } from './filters';
import { nameOfRun, typeInWords } from './run-name';

const FIRST_RUN = {
  method: 'POST',
  path: '/api/tools/execute',
  body: { toolName: 'calculator', args: { operation: 'add', a: 2, b: 3 } },
};

const readPage = async (query: Filters, cursor: string | undefined, signal?: AbortSignal) => {
  const data = await dataOf(
    client.value.GET('/api/runs', { params: { query: { ...query, cursor } }, signal }),
  );
  return 'runs' in data ? data : { runs: [], next: undefined };
};

type Page = Awaited<ReturnType<typeof readPage>>;
type ListedRun = Page['runs'][number];

/** The runs that the filters let through, newest first. New ones come in when the reader asks, so that no row moves. */
export function RunList() {
  const query = queryOf(place.value.params);
  const question = `runs ${JSON.stringify(query)}`;
  const { data: newest, problem } = useAsked(question, (signal) => readPage(query, undefined, signal), {
    everyMs: LIVE_MS,
  });
  const {
    rows: runs,
    changed,
    take,
    append,
  } = useStillRows(question, newest?.runs, ({ traceId }) => traceId);
  const [later, setLater] = useState<{ readonly of: string; readonly next: string | undefined }>();
  const [moreProblem, setMoreProblem] = useState<ApiProblem>();
  const next = later?.of === question ? later.next : newest?.next;
  const more = (): void => {
    readPage(query, next).then(
      (page) => {
        append(page.runs);
        setLater({ of: question, next: page.next });
      },
      (error: unknown) => setMoreProblem(toProblem(error)),
    );
  };
  return (
    <>
      <Problem problem={problem ?? moreProblem} />
      <Fresh count={changed} take={take} />
      {newest !== undefined && runs.length === 0 && changed === 0 && <NoRuns query={query} />}
      {runs.length > 0 && (
        <Table
          label="Runs"
          rows={runs}
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
            { title: 'Took', cell: tookOf, isNumber: true, isMinor: true },
            { title: 'Started', cell: ({ startedAt }) => <Time at={startedAt} />, isNumber: true },
          ]}
        />
      )}
      {next !== undefined && (
        <p class="more">
          <button type="button" onClick={more}>
            Earlier runs
          </button>
        </p>
      )}
    </>
  );
}

function tookOf({ startedAt, closedAt }: ListedRun): string {
  const end = closedAt === null ? now.value : Date.parse(closedAt);
  return formatDuration(end - Date.parse(startedAt));
}

function NoRuns({ query }: { query: Filters }) {
  if (isFiltered(query)) return <Empty text="No run matches these filters." />;
  return (
    <Empty
      text="Runs are here: each tool call, workflow and turn is one. This makes the first:"
      request={FIRST_RUN}
    />
  );
}
