import { randomUUID } from 'node:crypto';
import { calculator } from '../support/calls';
import { buildChanged, type SourceChange } from '../support/changed-workflows';
import { buildOf, deploy, deployed, runsOf, versioningOf } from '../support/deployments';
import type { Answer } from '../support/http';
import { type Load, startLoad } from '../support/load';
import type { PartProcess } from '../support/process';
import { eventsOf, figures, pidOf } from '../support/runs';
import { type Api, openStage, type Stage } from '../support/stage';
import { makeTempDir, type TempDir } from '../support/temp-dir';

const CALLERS = 4;
/** A busy machine takes minutes over the deploy, and one call is held all that time. */
const PATIENT = { TOOL_TIMEOUT_MS: '200000', WAIT_LIMIT_MS: '230000' };
/** The cache is so small that a waiting run is replayed when it continues; on the other build the replay would fail. */
const REPLAYS = { WORKER_MAX_CACHED_WORKFLOWS: '2' };
/** The new build begins its runs with a memo, which histories of the old build do not have. */
const noteFirst = (file: string, before: RegExp): SourceChange => ({
  file,
  edits: [
    [/^import /, "import { upsertMemo } from '@temporalio/workflow';\nimport "],
    [before, "  upsertMemo({ code: 'new' });\n$&"],
  ],
});
const NEW_BUILD = [
  noteFirst('execute-tool.ts', /^ {2}const \{ output/m),
  noteFirst('custom-workflow.ts', /^ {2}const started = Date\.now\(\);\n {2}const \{ workflowId, first/m),
];

let stage: Stage;
let deployment: string;
let newBuild: TempDir;
let root: string;
let load: Load | undefined;

beforeAll(async () => {
  newBuild = makeTempDir();
  root = await buildChanged(newBuild.path, NEW_BUILD);
});

afterAll(() => newBuild.remove());

beforeEach(async () => {
  deployment = `test-${randomUUID()}`;
  stage = await openStage({ ownTemporal: true });
  await stage.temporal();
});

afterEach(async () => {
  load?.stop();
  await load?.done;
  await stage.close();
});

const oldWorker = (): Promise<PartProcess> => stage.worker({ ...REPLAYS, ...buildOf(deployment, '1') });
const newWorker = (): Promise<PartProcess> =>
  stage.worker({ ...REPLAYS, ...buildOf(deployment, '2') }, { root });

const idOf = ({ headers }: Answer): string => headers.get('x-workflow-id') ?? '';

/** Whether a run went through the new build's code. */
async function tookNewCode(workflowId: string): Promise<boolean> {
  const { memo } = await stage.client.workflow.getHandle(workflowId).describe();
  return memo?.['code'] === 'new';
}

/** Five steps, the first of which the peer holds; steps that fetch wait in a separate queue. */
function longWorkflow(): object {
  const step = (id: string, { toolName, args }: ReturnType<typeof calculator>): object => ({
    id,
    type: 'tool_execution',
    config: { toolName, args },
  });
  const fetching = (id: string, path: string): object => ({
    id,
    type: 'api_call',
    config: { url: stage.peer.url + path, method: 'GET' },
  });
  return {
    workflow: {
      name: 'long',
      steps: [
        fetching('held', '/held'),
        fetching('second', '/second?after={{held.result.status}}'),
        fetching('third', '/third?after={{second.result.status}}'),
        step('sum', calculator('add', '{{held.result.status}}', 1)),
        step('product', calculator('multiply', '{{sum.result}}', 2)),
      ],
    },
    inputs: {},
  };
}

test('a rolling deploy under load: every request is answered, and every run ends on the build it began on', async () => {
  const [api, old] = await Promise.all([stage.api(PATIENT), oldWorker()]);
  expect(await deployed(stage, deployment, 'promote', '1')).toContain('build 1');

  let promoted = false;
  const afterPromotion: Answer[] = [];
  const calls = startLoad(CALLERS, Infinity, async (n) => {
    const isAfter = promoted;
    const answer = await api.post('/api/tools/execute', calculator('add', n, 1));
    if (isAfter) afterPromotion.push(answer);
    return answer;
  });
  load = calls;
  const more = (answers: number) => calls.reached(calls.answers.length + answers);
  const long = api.post('/api/workflow/execute-custom', longWorkflow());
  await stage.peer.arrived('/held');
  await more(30);

  const young = await newWorker();
  await more(20);
  expect(await runsOf(stage.client, deployment, '2')).toBe(0);

  await deployed(stage, deployment, 'promote', '2');
  promoted = true;
  await more(50);
  expect(await deployed(stage, deployment, 'status')).toMatch(
    /build 2 +current since .* 1 worker polled.*\n.*build 1 +draining since .* 1 open run +1 worker/,
  );
  const early = await deploy(stage, deployment, 'drain', '1', '--wait', '2');
  expect([early.code, early.output]).toEqual([
    1,
    expect.stringMatching(/build 1 has 1 open run; leave its workers/),
  ]);

  stage.peer.release('/held');
  const longAnswer = await long;
  expect(longAnswer.status).toBe(200);
  expect(longAnswer.body.data.results).toMatchObject({
    third: { status: 'completed' },
    product: { status: 'completed' },
  });
  expect(await deployed(stage, deployment, 'drain', '1', '--wait', '90')).toContain(
    `build 1 of ${deployment} is drained: its workers may be stopped`,
  );

  expect(await old.stop()).toBe(0);
  await more(20);
  calls.stop();
  await calls.done;

  expect(calls.failures).toEqual([]);
  expect(calls.answers.filter(({ status }) => status !== 200)).toEqual([]);
  await everyRunWasCounted(api, calls.answers.length + 5);

  expect(await versioningOf(stage.client, idOf(longAnswer))).toEqual({ behavior: 'PINNED', build: '1' });
  const tasks = await eventsOf(stage, idOf(longAnswer), 'EVENT_TYPE_WORKFLOW_TASK_COMPLETED');
  const workers = tasks.map((event) => pidOf(event.workflowTaskCompletedEventAttributes?.identity));
  expect(new Set(workers)).toEqual(new Set([old.pid]));
  const steps = await eventsOf(stage, idOf(longAnswer), 'EVENT_TYPE_ACTIVITY_TASK_STARTED');
  expect(steps.map((event) => pidOf(event.activityTaskStartedEventAttributes?.identity))).toEqual(
    Array.from({ length: steps.length }, () => old.pid),
  );
  expect(steps.length).toBeGreaterThanOrEqual(3);
  expect(await tookNewCode(idOf(longAnswer))).toBe(false);

  const builds = new Map<string, number>();
  for (const answer of calls.answers) {
    const { behavior, build = 'none' } = await versioningOf(stage.client, idOf(answer));
    expect(behavior).toBe('PINNED');
    expect(await tookNewCode(idOf(answer))).toBe(build === '2');
    if (afterPromotion.includes(answer)) expect(build).toBe('2');
    builds.set(build, (builds.get(build) ?? 0) + 1);
  }
  expect([...builds.keys()].sort()).toEqual(['1', '2']);
  expect(await runsOf(stage.client, deployment, '1')).toBe(1 + (builds.get('1') ?? 0));
  expect(young.running).toBe(true);
});

/** Calls of tools, each counted once. */
async function everyRunWasCounted(api: Api, calls: number): Promise<void> {
  expect(await figures(api)).toEqual({
    totalExecutions: calls,
    successfulExecutions: calls,
    failedExecutions: 0,
  });
}
