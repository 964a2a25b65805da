import type { Engine } from '../../../../temporal/engine';
import { listRuns } from '../../../../temporal/runs/run-list';
import type { RunFilter } from '../../../../temporal/runs/run-query';
import { NO_ATTRIBUTES } from '../../../../temporal/search-attributes';

const native = { withDeadline: (_: number, call: () => unknown) => call() };
const scope = { taskQueue: 'q', workflowTypes: new Set(['executeTool']), owner: { tenant: 'default' } };

test.each([
  ['area', { area: 'tools' }],
  ['tool', { tool: 'calculator' }],
  ['userId', { user: 'u' }],
  ['userId', { user: 'u', session: 's' }],
  ['status', { status: 'waiting' }],
] as const)('without search attributes the filter %s is refused', async (field, filter) => {
  const engine = {
    address: 'here:1',
    current: () => ({ native, searchAttributes: NO_ATTRIBUTES }),
  } as unknown as Engine;
  await expect(listRuns(engine, scope, { filter, limit: 5 })).rejects.toMatchObject({
    code: 'VALIDATION',
    details: { field, message: expect.stringContaining('search attributes') },
  });
});

test('where the server refuses an attribute that it had, runs are listed by what needs none', async () => {
  const queries: string[] = [];
  const listWorkflowExecutions = ({ query }: { query: string }) => {
    queries.push(query);
    if (!query.includes('HoldfastWaiting')) return Promise.resolve({ executions: [], nextPageToken: [] });
    const details = 'Namespace default has no mapping defined for search attribute HoldfastWaiting';
    return Promise.reject(Object.assign(new Error(details), { code: 3, details, metadata: {} }));
  };
  const connection = {
    searchAttributes: new Set(['HoldfastArea', 'HoldfastWaiting']),
    native,
    client: { workflowService: { listWorkflowExecutions } },
  };
  const engine = { address: 'here:1', current: () => connection } as unknown as Engine;
  const list = (filter: RunFilter) => listRuns(engine, scope, { filter, limit: 5 });
  expect(await list({ status: 'running' })).toEqual({ runs: [] });
  expect(queries.map((query) => query.includes('HoldfastWaiting'))).toEqual([true, false]);
  expect(await list({ status: 'running', area: 'tools' })).toEqual({ runs: [] });
  expect(queries.at(-1)).toContain("HoldfastArea = 'tools'");
  await expect(list({ status: 'waiting' })).rejects.toMatchObject({
    code: 'VALIDATION',
    details: { field: 'status' },
  });
});

const refusal = Object.assign(new Error('invalid query'), {
  code: 3,
  details: "invalid ExecutionStatus value 'Paused'",
  metadata: {},
});

test.each([
  [
    'that can pause runs',
    () => Promise.resolve([{ execution: { runId: 'r', workflowId: 'w' }, status: 8 }]),
    1,
  ],
  ['that cannot', () => Promise.reject<object[]>(refusal), 0],
])('paused runs are listed among the open ones of a server %s', async (_server, listPaused, count) => {
  const listWorkflowExecutions = async ({ query }: { query: string }) => ({
    executions: query.includes("= 'Paused'") ? await listPaused() : [],
    nextPageToken: [],
  });
  const connection = {
    searchAttributes: NO_ATTRIBUTES,
    native,
    client: { workflowService: { listWorkflowExecutions } },
  };
  const engine = { address: 'here:1', current: () => connection } as unknown as Engine;
  const { runs } = await listRuns(engine, scope, { filter: {}, limit: 5 });
  expect(runs.map(({ status }) => status)).toEqual(Array(count).fill('paused'));
});
