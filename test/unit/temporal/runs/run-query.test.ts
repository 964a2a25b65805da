import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SEARCH_ATTRIBUTES, type SearchAttribute } from '../../../../src/contracts/runs/search-attributes';
import { DEFAULT_TENANT } from '../../../../src/contracts/tenants';
import { CHAINED_TYPES } from '../../../../temporal/runs/run-chains';
import { comparePositions, formatMicros, toMicros } from '../../../../temporal/runs/run-position';
import { buildRunQuery, quote } from '../../../../temporal/runs/run-query';
import { type KnownAttributes, NO_ATTRIBUTES } from '../../../../temporal/search-attributes';
import { ROOT } from '../../../support/fixture-project';

const ALL: KnownAttributes = new Set(Object.keys(SEARCH_ATTRIBUTES) as SearchAttribute[]);
const owner = { tenant: DEFAULT_TENANT };
const scope = { taskQueue: `it's`, workflowTypes: new Set(['a', 'b']), owner };
const OWN = `TaskQueue = 'it\\'s' AND WorkflowId NOT STARTS_WITH '@'`;

test('a query has the scope and the filters, with quotes and backslashes escaped', () => {
  expect(buildRunQuery(scope, {}, ALL)).toBe(
    `${OWN} AND WorkflowType IN ('a', 'b') AND ExecutionStatus != 'ContinuedAsNew'`,
  );
  expect(
    buildRunQuery(scope, { type: 'a', status: 'cancelled', tool: 't', since: 'S', until: 'U' }, ALL),
  ).toBe(
    `${OWN} AND WorkflowType IN ('a') AND ExecutionStatus = 'Canceled' ` +
      `AND HoldfastTools = 't' AND StartTime >= 'S' AND StartTime <= 'U'`,
  );
  expect(quote(`\\' OR ''='`)).toBe(`'\\\\\\' OR \\'\\'=\\''`);
});

test.each([
  ['running', ALL, "ExecutionStatus = 'Running' AND HoldfastWaiting IS NULL"],
  ['waiting', ALL, "ExecutionStatus = 'Running' AND HoldfastWaiting IS NOT NULL"],
  ['running', NO_ATTRIBUTES, "ExecutionStatus = 'Running'"],
  ['failed', ALL, "ExecutionStatus = 'Failed'"],
] as const)('a query for %s runs, with the search attributes %j', (status, known, condition) => {
  expect(buildRunQuery(scope, { status }, known)).toMatch(new RegExp(`AND ${condition}$`));
});

test('a position has microseconds, and orders newest first and then by id', () => {
  const micros = toMicros({ seconds: 1_700_000_000, nanos: 12_345_999 });
  expect(formatMicros(micros)).toBe('2023-11-14T22:13:20.012345Z');
  const runs = [
    { started: 1, runId: 'c' },
    { started: 2, runId: 'b' },
    { started: 2, runId: 'a' },
  ];
  expect(runs.sort(comparePositions).map(({ runId }) => runId)).toEqual(['a', 'b', 'c']);
});

test('the types that continue as new are those whose workflows do', () => {
  const chained = ['workflows', 'packages/records/workflows'].flatMap((path) => {
    const folder = join(ROOT, path);
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(
        (file) => file.endsWith('.ts') && /\bcontinueAsNew\b/.test(readFileSync(join(folder, file), 'utf8')),
      )
      .map((file) =>
        file.replace(/\.ts$/, '').replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
      );
  });
  expect(new Set(chained)).toEqual(CHAINED_TYPES);
});
