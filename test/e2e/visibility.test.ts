import type { WorkflowExecutionInfo, WorkflowHandle } from '@temporalio/client';
import { temporal as protocol } from '@temporalio/proto';
import type { Answer } from '../support/http';
import { type Service, startService } from '../support/service';
import { connectTemporal, type TestClient } from '../support/temporal-client';
import { waitFor } from '../support/wait';

let service: Service;
let temporal: TestClient;

beforeAll(async () => {
  [service, temporal] = await Promise.all([startService(), connectTemporal()]);
});
afterAll(() => Promise.all([service.stop(), temporal.close()]));

const calculator = (operation: string, a: number, b: number) => ({
  toolName: 'calculator',
  args: { operation, a, b },
});
const execute = (body: object): Promise<Answer> => service.post('/api/tools/execute', body);
const runIdOf = ({ headers }: Answer): string => headers.get('x-trace-id') ?? '';
const workflowIdOf = ({ headers }: Answer): string => headers.get('x-workflow-id') ?? '';

/** Ids of the runs of this service that a query of the Temporal UI finds. */
async function found(query: string): Promise<string[]> {
  const ids: string[] = [];
  const mine = `TaskQueue = '${service.taskQueue}' AND ${query}`;
  for await (const { runId } of temporal.client.workflow.list({ query: mine })) ids.push(runId);
  return ids;
}

const isFound = (query: string, answer: Answer): Promise<unknown> =>
  waitFor(async () => (await found(query)).includes(runIdOf(answer)), { what: `${query} to find the run` });

describe('a run is found', () => {
  let sum: Answer;
  let failed: Answer;
  let mixed: Answer;
  beforeAll(async () => {
    sum = await execute(calculator('add', 1, 2));
    failed = await execute(calculator('divide', 1, 0));
    const reader = { toolName: 'json_reader', args: { jsonString: '[1]', path: '$[0]' } };
    mixed = await service.post('/api/tools/execute-multiple', {
      tools: [reader, calculator('divide', 1, 0)],
    });
  });

  test('by its tool, and by each of several', async () => {
    for (const answer of [sum, failed, mixed]) await isFound(`HoldfastTools = 'calculator'`, answer);
    await isFound(`HoldfastTools = 'json_reader'`, mixed);
    expect(await found(`HoldfastTools = 'json_reader'`)).toEqual([runIdOf(mixed)]);
  });

  test('by its area', async () => {
    for (const answer of [sum, failed, mixed]) await isFound(`HoldfastArea = 'tools'`, answer);
    expect(await found(`HoldfastArea = 'memory'`)).toEqual([]);
  });

  test('by its status', async () => {
    await isFound(`ExecutionStatus = 'Failed'`, failed);
    await isFound(`ExecutionStatus = 'Completed'`, mixed);
    expect(await found(`ExecutionStatus = 'Failed'`)).toEqual([runIdOf(failed)]);
  });

  test('by the tools that failed in it', async () => {
    expect(mixed.status).toBe(200);
    await isFound(`HoldfastFailedTools = 'calculator'`, mixed);
    expect(await found(`HoldfastFailedTools = 'json_reader'`)).toEqual([]);
  });

  test('by its tools, also where these are many with long names', async () => {
    const names = Array.from({ length: 33 }, (_, at) => `t${String(at).padStart(2, '0')}${'x'.repeat(61)}`);
    for (const name of names) {
      const answer = await service.post('/api/tools/register', { name, execute: '() => 1' });
      expect(answer.status).toBe(201);
    }
    const tools = names.map((toolName) => ({ toolName }));
    const answer = await service.post('/api/tools/execute-multiple', { tools });
    expect(answer.status).toBe(200);
    await isFound(`HoldfastArea = 'tools'`, answer);
    await isFound(`HoldfastTools = '${names[0]}'`, answer);
    await isFound(`HoldfastTools = '${names[20]}'`, answer);
  });
});

test('what was done can be read, without the secrets in it', async () => {
  const secret = 'do-not-show-this';
  await service.post('/api/tools/register', { name: 'keeper', execute: '() => 1' });
  const answer = await execute({
    toolName: 'keeper',
    args: { place: 'here', apiKey: secret, nested: { token: secret } },
  });
  expect(answer.status).toBe(200);
  const handle = temporal.client.workflow.getHandle(workflowIdOf(answer));
  const run = await handle.describe();
  const summary = await run.staticSummary();
  expect(summary).toMatch(/^keeper .*"place":"here"/);
  expect(summary).not.toContain(secret);

  const { events } = await handle.fetchHistory();
  const { ACTIVITY_TASK_SCHEDULED } = {
    ACTIVITY_TASK_SCHEDULED: protocol.api.enums.v1.EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED,
  };
  const scheduled = (events ?? []).find(({ eventType }) => eventType === ACTIVITY_TASK_SCHEDULED);
  const payload = scheduled?.userMetadata?.summary?.data;
  const text = Buffer.from(payload ?? []).toString();
  expect(text).toMatch(/^"1: keeper /);
  expect(text).toContain('here');
  expect(text).not.toContain(secret);
});

describe('a run that an operator ends', () => {
  const LASTING = 'const end = Date.now() + 20_000; while (Date.now() < end); return "done"';

  async function whileItRuns(end: (run: WorkflowExecutionInfo) => Promise<unknown>): Promise<Answer> {
    await service.post('/api/tools/register', { name: 'lasting', execute: LASTING });
    const waiting = execute({ toolName: 'lasting' });
    const query = `TaskQueue = '${service.taskQueue}' AND ExecutionStatus = 'Running'`;
    const run = await waitFor(
      async () => {
        for await (const info of temporal.client.workflow.list({ query })) return info;
        return undefined;
      },
      { what: 'the run to be listed' },
    );
    await end(run);
    return waiting;
  }

  const handleOf = (workflowId: string): WorkflowHandle => temporal.client.workflow.getHandle(workflowId);

  test.each([
    ['cancelled', 'cancelled by an operator', (id: string) => handleOf(id).cancel()],
    ['terminated', 'terminated', (id: string) => handleOf(id).terminate()],
    ['terminated', 'terminated: it is too long', (id: string) => handleOf(id).terminate('it is too long')],
  ] as const)('is answered as %s to the caller that waits (%s)', async (verb, how, end) => {
    const answer = await whileItRuns(({ workflowId }) => end(workflowId));
    expect(answer.status).toBe(500);
    expect(answer.body).toMatchObject({
      success: false,
      message: 'Run cancelled',
      error: `The run was ${how}`,
      details: { workflowId: workflowIdOf(answer), traceId: runIdOf(answer) },
    });
    const { body } = await service.get(`/api/runs/${runIdOf(answer)}?workflowId=${workflowIdOf(answer)}`);
    expect(body.data).toMatchObject({ status: verb, error: { code: 'RUN_CANCELLED' } });
  });
});
