import { randomUUID } from 'node:crypto';
import { answerApproval, approvalsIn } from '../support/approvals';
import { calculator } from '../support/calls';
import { buildOf, deploy, deployed, deploying, versioningOf } from '../support/deployments';
import type { Answer } from '../support/http';
import { type Api, openStage, type Stage } from '../support/stage';
import { waitFor } from '../support/wait';

/** Longer than the time after which a waiting task counts as not taken. */
const WAIT_LIMIT_MS = 8_000;

let stage: Stage;
let deployment: string;
let api: Api;

beforeEach(async () => {
  stage = await openStage();
  deployment = `test-${randomUUID()}`;
  api = await stage.api({ WAIT_LIMIT_MS: String(WAIT_LIMIT_MS) });
});

afterEach(() => stage.close());

const calculate = (): Promise<Answer> => api.post('/api/tools/execute', calculator('add', 20, 22));
const idOf = ({ headers }: Answer): string => headers.get('x-workflow-id') ?? '';
const buildOfRun = async (answer: Answer): Promise<string | undefined> =>
  (await versioningOf(stage.client, idOf(answer))).build;

/** Waits until a run that is still open after its answer has ended. */
async function ended(answer: Answer): Promise<void> {
  await waitFor(
    async () => (await stage.client.workflow.getHandle(idOf(answer)).describe()).status.name === 'COMPLETED',
    { what: 'the run to end' },
  );
}

test('workers of a build take nothing while no build is current, and the answer says what to do', async () => {
  await stage.worker(buildOf(deployment, '1'));
  const waiting = await calculate();
  expect(waiting.status).toBe(503);
  expect(waiting.body.error).toContain(
    `The workers of the task queue "${stage.taskQueue}" (workflows and their memory) are of build 1 of ${deployment}, and no build is current; make one so with npm run deploy -- promote`,
  );

  expect(await deployed(stage, deployment, 'promote', '1')).toContain(
    `build 1 of ${deployment} takes new runs; runs of workers without a build move to it`,
  );
  await ended(waiting);
  expect(await buildOfRun(waiting)).toBe('1');
});

test('beside workers of a build those without one take new runs until it is promoted, and again when it is given up', async () => {
  const [one] = await Promise.all([stage.worker(buildOf(deployment, '1')), stage.worker()]);
  const before = await calculate();
  expect([before.status, await buildOfRun(before)]).toEqual([200, undefined]);

  await deployed(stage, deployment, 'promote', '1');
  const after = await calculate();
  expect([after.status, await buildOfRun(after)]).toEqual([200, '1']);
  expect(await deployed(stage, deployment, 'status')).toMatch(
    /build 1 +current since .* 1 worker polled in the last 70 s\n +1 worker without a build polled in the last 70 s/,
  );

  await one.kill();
  const missing = `No worker of build 1 of ${deployment}, which has to take it, polls the task queue "${stage.taskQueue}"`;
  const left: Answer[] = [];
  // A task may still be given to the poll of the process that was killed, if the server has not yet seen its connection close.
  await waitFor(
    async () => {
      left.push(await calculate());
      return left.at(-1)?.body.error.includes(missing);
    },
    { what: 'the answer to name the build' },
  );
  expect(left.map(({ status }) => status)).toEqual(left.map(() => 503));

  expect(await deployed(stage, deployment, 'promote', 'unversioned')).toContain(
    'workers without a build take new runs',
  );
  await Promise.all(left.map(ended));
  expect((await calculate()).status).toBe(200);
});

test('a build is promoted once its workers poll, and the former one again to roll back', async () => {
  // Polls from before its first check do not count, and an idle worker polls once a minute.
  const early = deploying(stage, deployment, 'promote', '1', '--wait', '60');
  await waitFor(() => early.output().includes('waiting: no worker') || !early.running, {
    what: 'it to wait',
  });
  await Promise.all([stage.worker(buildOf(deployment, '1')), stage.worker(buildOf(deployment, '2'))]);
  expect([await early.exited, early.output()]).toEqual([0, expect.stringContaining('build 1 of')]);

  await deployed(stage, deployment, 'promote', '2');
  expect(await buildOfRun(await calculate())).toBe('2');
  expect(await deployed(stage, deployment, 'promote', '1')).toContain(
    'runs of build 2 end where they began, except those of the types that move',
  );
  expect(await buildOfRun(await calculate())).toBe('1');

  expect(await deployed(stage, deployment, 'promote', '2', '--ramp', '100')).toContain(
    'takes 100 % of new runs',
  );
  await waitFor(async () => (await buildOfRun(await calculate())) === '2', {
    what: 'the ramp to take effect',
  });
  expect(await deployed(stage, deployment, 'promote', '1')).toContain('takes all new runs again');
  await waitFor(async () => (await buildOfRun(await calculate())) === '1', { what: 'the ramp to end' });
});

test('a build whose worker is gone is not promoted, though the server remembers its polls', async () => {
  const [, gone] = await Promise.all([
    stage.worker(buildOf(deployment, '1')),
    stage.worker(buildOf(deployment, '2')),
  ]);
  await deployed(stage, deployment, 'promote', '1');
  expect(await gone.stop()).toBe(0);
  const { code, output } = await deploy(stage, deployment, 'promote', '2', '--wait', '15');
  expect([code, output]).toEqual([1, expect.stringContaining('no worker of build 2 has begun to poll')]);
  expect(await buildOfRun(await calculate())).toBe('1');
});

test('health counts no worker that takes no new runs, and the worker says so as it starts', async () => {
  const worker = await stage.worker(buildOf(deployment, '1'));
  await worker.line(
    'new runs start on another build than that of this worker until this one is promoted with npm run deploy',
  );
  const { status, body } = await api.get('/api/health/detailed');
  expect([status, body.details.failedServices]).toEqual([503, ['workers']]);
  expect(body.error).toContain(`are of build 1 of ${deployment}, and no build is current`);
  await deployed(stage, deployment, 'promote', '1');
  await waitFor(async () => (await api.get('/api/health')).status === 200, { what: 'health to see it' });
});

test('a process without a build hands no run to its own worker past the current build', async () => {
  await stage.worker(buildOf(deployment, '1'));
  await deployed(stage, deployment, 'promote', '1');
  const all = await stage.allInOne();
  const answers = await Promise.all(
    [1, 2, 3].map((n) => all.post('/api/tools/execute', calculator('add', n, 1))),
  );
  expect(await Promise.all(answers.map(buildOfRun))).toEqual(['1', '1', '1']);
});

test('what cannot be done is one line that says what to do', async () => {
  await stage.worker(buildOf(deployment, '1'));
  const problems: [string[], string][] = [
    [['promote', '2', '--wait', '1'], 'no worker of build 2 has begun to poll the task queues'],
    [['drain', '2'], `${deployment} has no build 2; it has 1`],
    [['drain'], 'drain needs a build'],
  ];
  for (const [args, message] of problems) {
    const { code, output } = await deploy(stage, deployment, ...args);
    expect([code, output]).toEqual([1, expect.stringContaining(message)]);
  }
  await deployed(stage, deployment, 'promote', '1');
  const current = await deploy(stage, deployment, 'drain', '1');
  expect([current.code, current.output]).toEqual([1, expect.stringContaining('promote another first')]);
});

test('everything in one process may have a build, too', async () => {
  const all = await stage.allInOne(buildOf(deployment, '1'));
  await deployed(stage, deployment, 'promote', '1');
  const answer = await all.post('/api/tools/execute', calculator('add', 1, 2));
  expect([answer.status, await buildOfRun(answer)]).toEqual([200, '1']);
});

test('an erasure, which may take long, follows the current build', async () => {
  await stage.worker(buildOf(deployment, '1'));
  await deployed(stage, deployment, 'promote', '1');
  const answer = await api.send('DELETE', '/api/memory/clear/nobody');
  expect(answer.status).toBe(200);
  expect(await versioningOf(stage.client, idOf(answer))).toEqual({ behavior: 'AUTO_UPGRADE', build: '1' });
});

test('a run that waits for a person holds its build, until an operator moves it to the current one', async () => {
  const first = await stage.worker(buildOf(deployment, '1'));
  await deployed(stage, deployment, 'promote', '1');
  const asked = await api.post('/api/tools/execute', {
    ...calculator('add', 1, 2),
    options: { approval: { tools: 'all' } },
  });
  const [approval] = approvalsIn(asked);
  await stage.worker(buildOf(deployment, '2'));
  await deployed(stage, deployment, 'promote', '2');
  await first.stop();
  const { workflowService, options } = stage.client;
  await workflowService.updateWorkflowExecutionOptions({
    namespace: options.namespace,
    workflowExecution: { workflowId: idOf(asked) },
    workflowExecutionOptions: { versioningOverride: { autoUpgrade: true } },
    updateMask: { paths: ['versioning_override'] },
  });
  await waitFor(
    async () =>
      (await answerApproval(api, approval!, { decision: 'approve' }).catch(() => undefined))?.status === 200,
    { what: 'the answer to be accepted' },
  );
  await ended(asked);
  expect(await buildOfRun(asked)).toBe('2');
});
