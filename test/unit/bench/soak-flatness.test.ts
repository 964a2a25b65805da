import { findGrowth, type SoakRow } from '../../../bench/soak';

const FLAT = {
  p50: 30,
  p95: 90,
  service: 3e8,
  server: 2e8,
  cpu: 50,
  history: 20_000,
  stores: 900,
  values: 4_000,
};

/** Ten stretches of a thousand runs, each changed by `change` for its place from 0. */
function rows(change: (at: number) => Partial<SoakRow> = () => ({})): SoakRow[] {
  return Array.from({ length: 10 }, (_, at) => ({ ...FLAT, runs: (at + 1) * 1_000, ...change(at) }));
}

test('figures that go up and down around one value are flat', () => {
  expect(findGrowth(rows((at) => ({ cpu: 50 + (at % 3), stores: at % 2 === 0 ? -2_000 : 2_500 })))).toEqual(
    [],
  );
});

test('a first stretch that is slower or larger than all others is warm-up', () => {
  expect(findGrowth(rows((at) => (at === 0 ? { cpu: 5, history: 500 } : {})))).toEqual([]);
});

test.each([
  ['cpu', 'CPU a run, ms', 8],
  ['service', 'memory of the service, bytes', 3e7],
  ['server', 'memory of the Temporal server, bytes', 2e7],
  ['history', 'history a run, bytes', 2_000],
  ['stores', 'stores a run, bytes', 900],
  ['values', 'values a run, bytes', 900],
] as const)('%s that grows with each stretch is named', (figure, name, step) => {
  const growing = rows((at) => ({ [figure]: FLAT[figure] + at * step }));
  expect(findGrowth(growing)).toEqual([expect.stringContaining(`${name} grew from `)]);
});
