import type { ScenarioReport } from './scenario';

interface Line {
  readonly name: string;
  readonly valueOf: (report: ScenarioReport) => number;
}

const SEARCHES: readonly Line[] = [
  { name: 'vectors p95', valueOf: ({ vectors }) => vectors.p95 },
  { name: 'vectors p50', valueOf: ({ vectors }) => vectors.p50 },
  { name: 'text p95', valueOf: ({ text }) => text.p95 },
  { name: 'text p50', valueOf: ({ text }) => text.p50 },
];
const DISK: readonly Line[] = [{ name: 'disk', valueOf: ({ diskMb }) => diskMb }];

/** Draws how searches and the file grow with the memories of one user, as charts for Markdown (mermaid). */
export function plotGrowth(reports: readonly ScenarioReport[]): string {
  const ofOne = reports.filter(({ users }) => users === 1);
  return [chart('Searches of one user', 'ms', SEARCHES, ofOne), chart('Disk', 'MB', DISK, ofOne)].join(
    '\n\n',
  );
}

function chart(
  title: string,
  unit: string,
  lines: readonly Line[],
  reports: readonly ScenarioReport[],
): string {
  const names = lines.map(({ name }) => name).join(', ');
  const drawn = lines.map(
    ({ valueOf }) => `  line [${reports.map((report) => valueOf(report).toFixed(1)).join(', ')}]`,
  );
  return [
    '```mermaid',
    'xychart-beta',
    `  title "${title}, from above: ${names}"`,
    `  x-axis "memories" [${reports.map(({ memories }) => memories).join(', ')}]`,
    `  y-axis "${unit}"`,
    ...drawn,
    '```',
  ].join('\n');
}
