import { Figures } from '../../parts/detail';
import { LIVE_MS, useRead } from '../../api/ask';
import { formatDuration } from '../../parts/format';
import { Problem } from '../../parts/problem';
import { StatusSign } from '../../parts/status-sign';
import { Table } from '../../parts/table';
import { may } from '../../session';
import type { Section } from './listing';

/** What a component says of itself, beside its state. */
interface Component {
  readonly status: string;
  readonly reason?: string | undefined;
  readonly note?: string;
  readonly store?: string;
  readonly providers?: readonly string[];
  readonly registeredTools?: number;
  readonly responseTime?: number;
}

function aboutOf({ reason, note, store, providers, registeredTools, responseTime }: Component): string {
  const facts = [
    reason ?? note ?? store ?? providers?.join(', '),
    registeredTools === undefined ? undefined : `${registeredTools} tools`,
    responseTime === undefined ? undefined : formatDuration(responseTime),
  ];
  return facts.filter((fact) => fact !== undefined).join(' · ');
}

function Health() {
  const { data, problem } = useRead('/api/health/detailed', {}, { everyMs: 2 * LIVE_MS });
  if (data === undefined) return <Problem problem={problem} />;
  const { services, version, uptime, metrics, egress, clock } = data;
  const { abnormalEnds, endedRuns, queues } = services.workers;
  return (
    <>
      <Problem problem={problem} />
      <Figures
        figures={[
          ['version', version],
          ['up for', formatDuration(1_000 * uptime)],
          ['memory', metrics.memoryUsage],
          ['processor', metrics.cpuUsage],
          ['private addresses', egress.privateAddresses],
          ['clock', clock?.warning],
          ['abnormal ends of workers', abnormalEnds?.count],
          ['runs ended for their workflow code', endedRuns?.count],
        ]}
      />
      <Table
        label="Components"
        rows={Object.entries(services as Readonly<Record<string, Component | undefined>>)}
        keyOf={([name]) => name}
        columns={[
          { title: 'Component', cell: ([name]) => <b>{name}</b> },
          { title: 'State', cell: ([, each]) => <StatusSign status={each?.status ?? 'unknown'} /> },
          { title: 'About', cell: ([, each]) => each && aboutOf(each) },
        ]}
      />
      <Table
        label="Queues"
        rows={queues}
        keyOf={({ taskQueue }) => taskQueue}
        columns={[
          { title: 'Queue', cell: ({ kind, taskQueue }) => <b title={taskQueue}>{kind}</b> },
          { title: 'State', cell: ({ status }) => <StatusSign status={status} /> },
          { title: 'Pollers', cell: ({ pollers }) => pollers, isNumber: true },
        ]}
      />
    </>
  );
}

export const health: Section = {
  id: 'health',
  title: 'Health',
  about: 'Components, queues and their pollers',
  isShown: () => may('read'),
  Section: Health,
};
