import { randomUUID } from 'node:crypto';
import { answerApproval, approvalsIn, untilEnded } from '../support/approvals';
import type { Answer } from '../support/http';
import { callsTools, says } from '../support/model-server';
import { calculates, type ModelService, outcomesIn } from '../support/model-service';
import { useModelService } from '../support/use-service';
import { waitFor } from '../support/wait';

let service: ModelService;

beforeAll(async () => {
  service = await useModelService();
  await service.post('/api/tools/register', {
    name: 'guarded',
    parameters: { text: 'string' },
    execute: '(args) => args.text.toUpperCase()',
    requiresApproval: true,
  });
});
beforeEach(() => service.hosted.reset());
afterAll(() => service.stop());

const guarded = (text: string) => callsTools([{ name: 'guarded', args: { text } }]);

test('a planner reads that its call was denied, and its next one is made as it was approved', async () => {
  const key = randomUUID();
  const start = (): Promise<Answer> =>
    service.post('/api/tools/mcp', { query: 'shout loudly' }, { 'idempotency-key': key });
  service.hosted.script(guarded('no'), guarded('yes'), says('Done.'));
  const [first] = approvalsIn(await start());
  expect(first).toMatchObject({ step: '1', toolName: 'guarded', args: { text: 'no' } });
  await answerApproval(service, first!, { decision: 'deny', comment: 'be kinder' });
  const second = await waitFor(async () => approvalsIn(await start()).find(({ step }) => step === '2'), {
    what: 'the second call to wait',
  });
  expect(outcomesIn(service.hosted.requests[1])).toEqual([expect.stringMatching(/denied: be kinder/)]);
  await answerApproval(service, second, { decision: 'approve', args: { text: 'maybe' } });
  const done = await untilEnded(start);
  const said = service.hosted.requests[2]?.body.messages.flatMap((message) =>
    message.role === 'assistant' ? (message.tool_calls ?? []) : [],
  );
  // The planner reads the call that was made, and not the one that it had asked for.
  expect(JSON.stringify(said)).toContain('maybe');
  expect(JSON.stringify(said)).not.toContain('yes');
  expect([done.status, done.body.data.finalResult, done.body.data.executionOrder]).toEqual([
    200,
    'MAYBE',
    ['guarded'],
  ]);
});

test('a run may ask for approvals of tools that need none', async () => {
  const key = randomUUID();
  const start = (): Promise<Answer> =>
    service.post(
      '/api/workflow/execute',
      { query: 'calculate something', options: { approval: { tools: ['calculator'] } } },
      { 'idempotency-key': key },
    );
  service.hosted.script(callsTools([calculates('add', 2, 3)]), says('Five.'));
  const [approval] = approvalsIn(await start());
  await answerApproval(service, approval!, { decision: 'approve' });
  const done = await untilEnded(start);
  expect([done.status, done.body.data.finalResult]).toEqual([200, 5]);
});

test('a planned run without an answer by the deadline fails where it has to', async () => {
  const key = randomUUID();
  const start = (): Promise<Answer> =>
    service.post(
      '/api/tools/mcp',
      { query: 'shout', options: { approval: { tools: 'all', deadlineMs: 1_000, onDeadline: 'fail' } } },
      { 'idempotency-key': key },
    );
  service.hosted.script(guarded('hello'));
  approvalsIn(await start());
  const { status, body } = await untilEnded(start);
  expect([status, body.message]).toEqual([410, 'Approval expired']);
});

test('a denied call ends a planned run that has to end', async () => {
  const key = randomUUID();
  const start = (): Promise<Answer> =>
    service.post(
      '/api/workflow/execute',
      { query: 'shout', options: { approval: { tools: 'all', onDenied: 'fail' } } },
      { 'idempotency-key': key },
    );
  service.hosted.script(guarded('hello'));
  const [approval] = approvalsIn(await start());
  await answerApproval(service, approval!, { decision: 'deny', comment: 'not today' });
  const { status, body } = await untilEnded(start);
  expect([status, body.message]).toEqual([403, 'Approval denied']);
  expect(service.hosted.requests).toHaveLength(1);
});

test('a sentence for one tool waits as well', async () => {
  const key = randomUUID();
  const start = (): Promise<Answer> =>
    service.post(
      '/api/tools/execute-with-llm',
      { query: 'shout hello', toolName: 'guarded' },
      { 'idempotency-key': key },
    );
  service.hosted.script(guarded('hello'));
  const [approval] = approvalsIn(await start());
  await answerApproval(service, approval!, { decision: 'approve' });
  const done = await untilEnded(start);
  expect(done.body.data).toMatchObject({ result: 'HELLO', extractedArgs: { text: 'hello' } });
});
