import { runModule } from '../../support/run-module';

/** The order of suites such as `N30`, which needs the Neo4j server for 30 ms, or `o`, whose time is unknown. */
async function order(suites: string, workers: number): Promise<string> {
  const { result } = runModule(
    ['checks/suite-order.mjs'],
    `const suites = ${JSON.stringify(suites.split(' '))}.map((name) => {
      const duration = Number(name.slice(1));
      return duration > 0 ? { name, duration } : { name };
    });
    return scripts.setApart(suites, ({ name }) => name.startsWith('N'), ${workers}).map(({ name }) => name);`,
  );
  return ((await result) as string[]).join(' ');
}

test.each([
  ['one worker runs those that need the server first', 1, 'o9 N8 o7 N6', 'N8 N6 o9 o7'],
  ['two workers', 2, 'N20 N10 o15 o8 o7 o6 o5', 'N20 o15 o8 N10 o7 o6 o5'],
  ['four workers', 4, 'N20 N10 o30 o20 o20 o20 o10 o5', 'N20 o30 o20 o20 N10 o20 o10 o5'],
  ['suites of unknown length', 4, 'o N o o N o o o o', 'N o o o N o o o o'],
  ['too few others', 4, 'N20 N10 N5 o15', 'N20 o15 N10 N5'],
  ['none that needs the server', 4, 'o3 o2 o1', 'o3 o2 o1'],
])('keeps apart what needs the Neo4j server: %s', async (_name, workers, suites, ordered) => {
  expect(await order(suites, workers)).toBe(ordered);
});
