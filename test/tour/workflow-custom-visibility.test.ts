import type { temporal as protocol } from '@temporalio/proto';
import { type HoldingPeer, startHoldingPeer } from '../support/holding-peer';
import type { Answer } from '../support/http';
import type { SharedService } from '../support/service';
import { connectTemporal, type TestClient } from '../support/temporal-client';
import { useServiceAlone } from '../support/use-service';
import { waitFor } from '../support/wait';
import { customBody, fetchStep, sumStep, toolStep } from '../support/workflow-steps';

let service: SharedService;
let peer: HoldingPeer;
let temporal: TestClient;

beforeAll(async () => {
  [service, peer, temporal] = await Promise.all([useServiceAlone(), startHoldingPeer(), connectTemporal()]);
});
afterAll(async () => {
  await Promise.all([peer.close(), temporal.close()]);
  await service.stop();
});

const post = (body: object): Promise<Answer> => service.post('/api/workflow/execute-custom', body);
const workflowIdOf = ({ headers }: Answer): string => headers.get('x-workflow-id') ?? '';
const named = (name: string): object => ({ workflow: { name, steps: [sumStep('sum', 1, 2)] } });

interface ProgressStep {
  readonly step: string;
  readonly what: string;
  readonly state: string;
}

const progressOf = (workflowId: string): Promise<ProgressStep[]> =>
  temporal.client.workflow.getHandle(workflowId).query<ProgressStep[]>('progress');
const statesOf = async (workflowId: string): Promise<string[]> =>
  (await progressOf(workflowId)).map(({ step, state }) => `${step} ${state}`);

test.each([
  ['Ada: Größe & Café', 'ada-gro-e-cafe'],
  ['  --Ünder__test--  ', 'under-test'],
  ['日本', 'unnamed'],
  ['long '.repeat(30), 'long-long-long-long-long-long-long-long'],
])('the id of a run of %p has its name in it', async (name, slug) => {
  const answer = await post(named(name));
  expect(workflowIdOf(answer)).toMatch(new RegExp(`^custom-workflow/${slug}/[0-9A-HJKMNP-TV-Z]{26}$`));
});

test('a run under way tells how far it is, and one that ended how it went', async () => {
  const answering = post(
    customBody([
      sumStep('sum', 1, 2),
      fetchStep('held', `${peer.url}/held/progress`),
      sumStep('skipped', 1, 2, { when: '{{sum.result}} == 4' }),
      toolStep('broken', 'calculator', { operation: 'divide', a: 1, b: 0 }, { continueOnError: true }),
      sumStep('last', 1, '{{sum.result}}'),
    ]),
  );
  await peer.arrived('/held/progress');
  const { workflowId } = await waitFor(
    async () => {
      const query = `TaskQueue = '${service.taskQueue}' AND ExecutionStatus = 'Running'`;
      for await (const run of temporal.client.workflow.list({ query })) return run;
      return undefined;
    },
    { what: 'the run to be listed' },
  );
  expect(await statesOf(workflowId)).toEqual([
    'sum completed',
    'held running',
    'skipped waiting',
    'broken waiting',
    'last waiting',
  ]);
  peer.release('/held/progress');
  expect((await answering).status).toBe(200);
  expect(await statesOf(workflowId)).toEqual([
    'sum completed',
    'held completed',
    'skipped skipped',
    'broken failed',
    'last completed',
  ]);
  const steps = await progressOf(workflowId);
  expect(steps[0]!.what).toBe('calculator {"operation":"add","a":1,"b":2}');
  expect(steps[1]!.what).toMatch(/^GET \{"url":"http/);
  for (const { what } of steps) expect(what).not.toMatch(/\n/);
});

test('a run has a summary, and its details list its steps as text alone', async () => {
  const answer = await post({
    workflow: {
      name: 'Under test',
      steps: [
        sumStep('sum', 1, 2),
        toolStep('read', 'json_reader', { jsonString: '"`x`\\n<b>"', path: '$' }),
      ],
    },
  });
  const handle = temporal.client.workflow.getHandle(workflowIdOf(answer));
  expect(await (await handle.describe()).staticSummary()).toBe('Under test: 2 steps');
  const metadata = await handle.query<protocol.api.sdk.v1.IWorkflowMetadata>('__temporal_workflow_metadata');
  const lines = (metadata.currentDetails ?? '').split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toBe('- ✓ `sum` `calculator {"operation":"add","a":1,"b":2}` completed');
  expect(lines[1]!.match(/`/g)).toHaveLength(4);
});

test('runs are found by area and by the tools they need', async () => {
  const answer = await post(customBody([sumStep('sum', 1, 2), fetchStep('fetch', `${peer.url}/found`)]));
  for (const query of [
    `HoldfastArea = 'workflow'`,
    `HoldfastTools = 'calculator'`,
    `HoldfastTools = 'api_call'`,
  ]) {
    const mine = `TaskQueue = '${service.taskQueue}' AND WorkflowType = 'customWorkflow' AND ${query}`;
    await waitFor(
      async () => {
        for await (const { workflowId } of temporal.client.workflow.list({ query: mine })) {
          if (workflowId === workflowIdOf(answer)) return true;
        }
        return false;
      },
      { what: `${query} to find the run` },
    );
  }
});

test('a run can be looked up, and a failed one is failed there too', async () => {
  const answer = await post(
    customBody([toolStep('divide', 'calculator', { operation: 'divide', a: 1, b: 0 })]),
  );
  const path = `/api/runs/${answer.headers.get('x-trace-id')}?workflowId=${encodeURIComponent(workflowIdOf(answer))}`;
  const { body } = await service.get(path);
  expect(body.data).toMatchObject({ type: 'customWorkflow', status: 'failed' });
  expect(answer.body.details).toMatchObject({ workflowId: body.data.workflowId, traceId: body.data.traceId });
});

test('fifty steps of long names and addresses are shown within what the server takes', async () => {
  const steps = Array.from({ length: 50 }, (_, n) =>
    fetchStep(`s${n}${'x'.repeat(60)}`, `${peer.url}/${'ä'.repeat(1_500)}`, {}, { dependsOn: [] }),
  );
  const answer = await post({ workflow: { name: 'ä'.repeat(200), steps } });
  expect(answer.status).toBe(200);
  expect(await statesOf(workflowIdOf(answer))).toHaveLength(50);
});
