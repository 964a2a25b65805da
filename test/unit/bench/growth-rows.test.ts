import { compareRows, type GrowthRow, parseCounts } from '../../../bench/growth/rows';
import { costOfEach } from '../../../bench/service-figures';

const FIGURES = { serviceCpu: 100, serverCpu: 200, history: 1_000_000, stores: 5_000, values: 0 };

function row(runs: number, change: Partial<GrowthRow> = {}): GrowthRow {
  const cost = { serviceCpu: 10, serverCpu: 20, history: 18_000, stores: 2_000, values: 0 };
  const lists = [{ name: 'a list', p50: 2, p95: 3, serverCpu: 1 }];
  return { runs, p50: 200, p95: 300, rate: 50, cost, lists, ...change };
}

test('the cost of a run is the difference of two readings, divided by the runs between them', () => {
  const after = { serviceCpu: 300, serverCpu: 250, history: 1_500_000, stores: 5_500, values: 100 };
  expect(costOfEach(FIGURES, after, 50)).toEqual({
    serviceCpu: 4,
    serverCpu: 1,
    history: 10_000,
    stores: 10,
    values: 2,
  });
});

test.each([
  ['200', [200]],
  ['1000,10000,50000', [1_000, 10_000, 50_000]],
  [' 1, 2 ', [1, 2]],
])('the numbers of runs in "%s"', (text, counts) => {
  expect(parseCounts(text)).toEqual(counts);
});

test.each(['', '0', '-1', '1.5', 'many', '200,100', '200,200', '200,'])('"%s" is refused', (text) => {
  expect(() => parseCounts(text)).toThrow('GROWTH_RUNS has to be ascending numbers');
});

test('rows in which nothing grows have ratios of 1', () => {
  expect(compareRows([row(1_000), row(10_000)]).map(({ value }) => value)).toEqual([1, 1, 1, 1, 1]);
});

test('the last row is compared with the first, figure by figure', () => {
  const cost = { serviceCpu: 15, serverCpu: 50, history: 36_000, stores: 4_000, values: 0 };
  const lists = [{ name: 'a list', p50: 6, p95: 9, serverCpu: 1 }];
  expect(
    compareRows([row(1_000), row(10_000, { p50: 999 }), row(50_000, { p50: 240, cost, lists })]),
  ).toEqual([
    { name: 'a run, p50', value: 1.2 },
    { name: 'a run, CPU of the service', value: 1.5 },
    { name: 'a run, CPU of the Temporal server', value: 2.5 },
    { name: 'a run, bytes on disk', value: 2 },
    { name: 'a list, p50', value: 3 },
  ]);
});

test('one row has nothing to be compared with', () => {
  expect(compareRows([row(1_000)])).toEqual([]);
});
