import { place } from '../../address';
import { useRead } from '../../api/ask';
import { Chart, type Series } from '../../parts/chart';
import { Choice, FilterForm } from '../../parts/filter-fields';
import { formatDuration, formatMoney, formatNumber } from '../../parts/format';
import { Problem } from '../../parts/problem';
import { Table } from '../../parts/table';
import { may } from '../../session';
import type { Section } from './listing';

const DAY_MS = 86_400_000;
const EVERY_MS = 30_000;
const DAYS = ['7', '30', '90', '365'];
const BY = ['day', 'model', 'agent', 'user'] as const;
/** How many of the latest runs say the latency. */
const LATEST = 100;

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

function Usage() {
  const { params } = place.value;
  const count = Number(DAYS.find((each) => each === params['days']) ?? 30);
  const by = BY.find((each) => each === params['by']) ?? 'day';
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const days = Array.from({ length: count }, (_, at) => dayOf(today - (count - 1 - at) * DAY_MS));
  const query = { since: days[0], limit: 400 };
  const options = { everyMs: EVERY_MS };
  const { data, problem } = useRead('/api/usage', { query: { ...query, by: 'day' } }, options);
  const others = useRead('/api/usage', by === 'day' ? undefined : { query: { ...query, by } }, options);
  if (data === undefined) return <Problem problem={problem} />;
  const { total } = data;
  const byDay = new Map(data.rows.map((row) => [row.name, row]));
  const times = days.map((day) => Date.parse(day) / 1_000);
  const valuesOf = (label: string, name: keyof typeof total, color = '--bar'): Series => ({
    label,
    color,
    values: days.map((day) => byDay.get(day)?.[name] ?? 0),
  });
  const charts = [
    {
      text: `${formatNumber(total.runs)} runs, ${formatNumber(total.failedRuns)} of them failed`,
      series: [valuesOf('runs', 'runs'), valuesOf('failed', 'failedRuns', '--failed')],
      format: formatNumber,
    },
    {
      text: `${formatNumber(total.totalTokens)} tokens`,
      series: [valuesOf('tokens', 'totalTokens'), valuesOf('written', 'completionTokens', '--running')],
      format: formatNumber,
    },
    { text: formatMoney(total.costUsd), series: [valuesOf('US dollars', 'costUsd')], format: formatMoney },
  ];
  return (
    <>
      <FilterForm label="What is summed up">
        <Choice name="days" values={DAYS} none="30 days" isFirst />
        <Choice name="by" values={BY.slice(1)} none="by day" />
      </FilterForm>
      <div class="charts">
        {charts.map((chart, at) => (
          <Chart key={at} times={times} {...chart} />
        ))}
        <Latency />
      </div>
      <Table
        label={`Usage by ${by}`}
        rows={by === 'day' ? data.rows : (others.data?.rows ?? [])}
        keyOf={({ name }) => name}
        columns={[
          { title: by, cell: ({ name, userId }) => <b>{userId ?? name}</b> },
          { title: 'Runs', cell: ({ runs }) => formatNumber(runs), isNumber: true },
          { title: 'Failed', cell: ({ failedRuns }) => formatNumber(failedRuns), isNumber: true },
          { title: 'Tokens', cell: ({ totalTokens }) => formatNumber(totalTokens), isNumber: true },
          { title: 'Money', cell: ({ costUsd }) => formatMoney(costUsd), isNumber: true },
        ]}
      />
    </>
  );
}

/** How long the latest runs took. The service has no sums of it. */
function Latency() {
  const { data } = useRead('/api/runs', { query: { limit: LATEST } }, { everyMs: EVERY_MS });
  const runs = (data !== undefined && 'runs' in data ? data.runs : [])
    .filter(({ closedAt }) => closedAt !== null)
    .reverse();
  const took = runs.map(({ startedAt, closedAt }) =>
    Math.max(1, Date.parse(closedAt ?? startedAt) - Date.parse(startedAt)),
  );
  const sorted = [...took].sort((a, b) => a - b);
  const at = (share: number): string => formatDuration(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
  if (runs.length === 0) return null;
  const text = `Half of the latest ${runs.length} runs took up to ${at(0.5)}, 95 % up to ${at(0.95)}`;
  const times = runs.map(({ startedAt }) => Date.parse(startedAt) / 1_000);
  const series = [{ label: 'took', values: took, color: '--running' }];
  return <Chart text={text} times={times} series={series} format={formatDuration} isScattered />;
}

export const usage: Section = {
  id: 'usage',
  title: 'Usage',
  about: 'Runs, failures, latency, tokens and money',
  isShown: () => may('read'),
  Section: Usage,
};
