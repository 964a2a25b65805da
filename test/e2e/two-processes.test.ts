import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { calculator } from '../support/calls';
import type { Answer } from '../support/http';
import { startLoad } from '../support/load';
import type { Part, PartProcess } from '../support/process';
import { eventsOf, figures, pidOf } from '../support/runs';
import { type Api, openStage, type Stage } from '../support/stage';
import { waitFor } from '../support/wait';

let stage: Stage;

describe('two APIs and two workers on one data folder', () => {
  let first: Api;
  let second: Api;
  let workers: PartProcess[];

  beforeAll(async () => {
    stage = await openStage();
    const started = await Promise.all([stage.api(), stage.api(), stage.worker(), stage.worker()]);
    [first, second] = started;
    workers = started.slice(2) as PartProcess[];
  });

  afterAll(() => stage.close());

  const run = (api: Api, toolName: string, args = {}): Promise<Answer> =>
    api.post('/api/tools/execute', { toolName, args });

  function register(api: Api, name: string, execute: string): Promise<Answer> {
    return api.post('/api/tools/register', { name, description: 'made by a test', parameters: {}, execute });
  }

  test('share the load, and count every call once', async () => {
    const before = await figures(first);
    const loads = [first, second].map((api) =>
      startLoad(6, 5, (n) => api.post('/api/tools/execute', calculator('add', n, 1))),
    );
    await Promise.all(loads.map(({ done }) => done));

    const answers = loads.flatMap((load) => load.answers);
    expect(loads.flatMap(({ failures }) => failures)).toEqual([]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);

    const ids = answers.map(({ headers }) => headers.get('x-workflow-id') ?? '');
    const events = await Promise.all(
      ids.map((id) => eventsOf(stage, id, 'EVENT_TYPE_WORKFLOW_TASK_COMPLETED')),
    );
    const pids = events.flat().map((event) => pidOf(event.workflowTaskCompletedEventAttributes?.identity));
    expect(new Set(pids)).toEqual(new Set(workers.map(({ pid }) => pid)));

    const after = await figures(first);
    expect(after.totalExecutions).toBe(before.totalExecutions + 60);
    expect(after.successfulExecutions).toBe(before.successfulExecutions + 60);
    const [one, other] = await Promise.all([first.get('/api/tools/stats'), second.get('/api/tools/stats')]);
    expect(one.body.data).toEqual(other.body.data);
  });

  test('see a registration, its replacement and its removal at once', async () => {
    await register(first, 'greet', '() => "hello"');
    const usable = await waitFor(
      async () => {
        const answer = await run(second, 'greet');
        return answer.status === 200 && answer;
      },
      { what: 'the tool to be usable at the other API' },
    );
    expect(usable.body.data.result).toBe('hello');

    await register(second, 'greet', '() => "good evening"');
    await waitFor(async () => (await run(first, 'greet')).body.data.result === 'good evening', {
      what: 'the new tool to be used',
    });

    expect((await first.send('DELETE', '/api/tools/greet')).status).toBe(200);
    await waitFor(async () => (await run(second, 'greet')).status === 404, {
      what: 'the tool to be gone at the other API',
    });
    expect((await second.get('/api/tools')).body).toEqual((await first.get('/api/tools')).body);
  });

  test('either worker runs a tool that one API registered', async () => {
    await register(first, 'answer', '() => 42');
    const seen = new Set<number>();
    await waitFor(
      async () => {
        const { headers, body } = await run(second, 'answer');
        expect(body.data.result).toBe(42);
        const started = await eventsOf(
          stage,
          headers.get('x-workflow-id') ?? '',
          'EVENT_TYPE_ACTIVITY_TASK_STARTED',
        );
        for (const event of started) seen.add(pidOf(event.activityTaskStartedEventAttributes?.identity));
        return seen.size === workers.length;
      },
      { what: 'both workers to have run the tool' },
    );
    await first.send('DELETE', '/api/tools/answer');
  });
});

describe('a process that cannot start says why in one line and exits with 1', () => {
  beforeAll(async () => {
    stage = await openStage();
  });

  afterAll(() => stage.close());

  async function refusal(part: Part, env: Readonly<Record<string, string>>): Promise<string> {
    const started = stage.spawn(part, env);
    expect(await started.exited).toBe(1);
    return started.output();
  }

  test.each([
    ['api', 'PORT'],
    ['start', 'PORT'],
    ['start', 'RECORDS_PORT'],
  ] as const)('%s whose %s is in use', async (part, setting) => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const line = await refusal(part, { [setting]: String(port) });
    taken.close();
    expect(line).toMatch(new RegExp(`^\\w+: Port ${port} \\(${setting}\\) is in use; set ${setting}.*$`));
  });

  test.each([
    ['api', 'PORT', 'abc'],
    ['worker', 'WORKER_MAX_ACTIVITIES', '-1'],
    ['start', 'LOG_LEVEL', 'loud'],
  ] as const)('%s with a bad setting', async (part, name, value) => {
    expect(await refusal(part, { [name]: value })).toMatch(new RegExp(`^\\w+: The setting ${name} .*$`));
  });

  test('start whose folder of readable files cannot be made', async () => {
    const file = join(stage.dataDir, 'no-folder');
    writeFileSync(file, '');
    expect(await refusal('start', { FILE_ROOT: join(file, 'files') })).toMatch(/^holdfast: FILE_ROOT .*$/);
  });

  test.each(['api', 'worker', 'start'] as const)(
    '%s whose readable files would be those of the service',
    async (part) => {
      const link = join(stage.dataDir, `link-of-${part}`);
      symlinkSync(stage.dataDir, link);
      expect(await refusal(part, { FILE_ROOT: link })).toMatch(/^\w+: FILE_ROOT \(.*DATA_DIR .*$/);
    },
  );

  test.each(['api', 'worker', 'start', 'temporal'] as const)(
    '%s whose data folder cannot be used',
    async (part) => {
      const file = join(stage.dataDir, 'a-file');
      writeFileSync(file, '');
      expect(await refusal(part, { DATA_DIR: join(file, 'data') })).toMatch(
        /^\w+: DATA_DIR .* cannot be used: .*$/,
      );
    },
  );

  test.each(['api', 'worker', 'start'] as const)('%s whose data store is no data store', async (part) => {
    const folder = join(stage.dataDir, `broken-${part}`);
    mkdirSync(folder);
    writeFileSync(join(folder, 'holdfast.db'), 'this was never a database, '.repeat(100));
    expect(await refusal(part, { DATA_DIR: folder })).toMatch(/^\w+: DATA_DIR .* cannot be used: .*$/);
  });
});
