import { NO_USAGE } from '../../src/contracts/runs/token-usage';
import type { RunEvent } from '../../src/contracts/http/run-events';
import { collectEvents, openEvents } from '../support/event-stream';
import { type Answer, request } from '../support/http';
import { type OwnTemporal, startOwnTemporal } from '../support/own-temporal';
import { type Service, startService } from '../support/service';
import { connectTemporal } from '../support/temporal-client';
import { waitFor } from '../support/wait';

/** A step of an import takes 500 rows; each row here is an empty line, which is counted and creates no record. */
const ROWS = 10_000;

let temporal: OwnTemporal;
let service: Service;

/** A server that suggests early to continue as new, so that a chain does not need 500,000 rows. */
beforeAll(async () => {
  temporal = await startOwnTemporal(['limit.historyCount.suggestContinueAsNew=40']);
  service = await startService({ TEMPORAL_ADDRESS: temporal.address });
});
afterAll(async () => {
  await service.stop();
  await temporal.stop();
});

test('an import that went on in further runs is found under the trace id that its caller has', async () => {
  const started = await request(`${service.recordsUrl}/api/imports?collection=facilities`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: '\n'.repeat(ROWS),
  });
  expect(started.status).toBe(201);
  const workflowId = started.headers.get('x-workflow-id') ?? '';
  const traceId = started.headers.get('x-trace-id') ?? '';
  const eventsPath = `/api/runs/${traceId}/events?workflowId=${encodeURIComponent(workflowId)}`;
  const following = openEvents(service.url + eventsPath).then(collectEvents);
  const report = (): Promise<Answer> => request(service.recordsUrl + (started.headers.get('location') ?? ''));
  await waitFor(async () => (await report()).body.data.state === 'completed', {
    what: 'the import to be completed',
  });
  const client = await connectTemporal(temporal.address);
  const first = await client.client.workflow.getHandle(workflowId, traceId).describe();
  await client.close();
  expect(first.status.name).toBe('CONTINUED_AS_NEW');

  const run = await waitFor(
    async () => {
      const answer = await service.get(`/api/runs/${traceId}?workflowId=${encodeURIComponent(workflowId)}`);
      return answer.body.data.status === 'running' ? undefined : answer;
    },
    { what: 'the last run to end' },
  );
  expect([run.status, run.body.data]).toEqual([
    200,
    {
      workflowId,
      runId: traceId,
      traceId,
      type: 'importRecords',
      status: 'completed',
      startedAt: first.startTime.toISOString(),
      closedAt: expect.any(String),
      result: expect.objectContaining({ rows: ROWS, failed: 0 }),
      steps: expect.arrayContaining([
        expect.objectContaining({ name: 'importStep', kind: 'records', status: 'completed' }),
      ]),
      usage: NO_USAGE,
    },
  ]);

  const followed = (await following).map(({ data }) => data as RunEvent);
  expect(followed.map(({ sequence }) => sequence)).toEqual(followed.map((_, index) => index + 1));
  expect(followed.filter(({ type }) => type.startsWith('run.')).map(({ type }) => type)).toEqual([
    'run.started',
    'run.completed',
  ]);
  const steps = followed.filter(({ type }) => type === 'step.completed');
  expect(steps.length).toBeGreaterThanOrEqual(ROWS / 500);
  const read = await request(service.url + eventsPath, { headers: { accept: 'application/json' } });
  expect(read.body.data).toEqual({ events: followed });
});
