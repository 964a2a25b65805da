import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildClient } from '../support/built-client';
import { request, send } from '../support/http';
import { bearer, type Key, runKeys, WRONG_KEY } from '../support/keys';
import { LEXICAL } from '../support/memories';
import { says, startModelServer, type ModelServer } from '../support/model-server';
import { hostedBy } from '../support/model-service';
import { type Service, startService } from '../support/service';
import { startStubPeer } from '../support/stub-peer';
import { makeTempDir } from '../support/temp-dir';
import { waitFor } from '../support/wait';

let service: Service;
let model: ModelServer;
let key: string;
let program: string;
const dir = makeTempDir();

beforeAll(async () => {
  program = join(buildClient(dir.path), 'dist', 'esm', 'cli', 'main.js');
  model = await startModelServer();
  model.otherwise(says('Hello Ada'));
  service = await startService({ AUTH: 'keys', ...LEXICAL, ...hostedBy(model) });
  const scopes = 'read,run,memory,tools,admin';
  ({ key } = await runKeys<Key>(service.dataDir, 'create', '--name', 'cli', '--scopes', scopes));
}, 240_000);
afterAll(async () => {
  await service.stop();
  await model.close();
  dir.remove();
});

interface Ended {
  readonly code: number | NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Started {
  readonly child: ChildProcessWithoutNullStreams;
  stdout(): string;
  readonly ended: Promise<Ended>;
}

/** Starts a command. Whatever it prints has no key in it. */
function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Started {
  const settings = { HOLDFAST_URL: service.url, HOLDFAST_API_KEY: key, ...env };
  const child = spawn(process.execPath, [program, ...args], { cwd: dir.path, env: settings });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code, signal) => resolve({ code: code ?? signal, stdout, stderr }));
  }).then((result) => {
    for (const secret of [key, settings.HOLDFAST_API_KEY, 'hidden-word'])
      expect(result.stdout + result.stderr).not.toContain(secret);
    return result;
  });
  return { child, stdout: () => stdout, ended };
}

function cli(...args: string[]): Promise<Ended> {
  const { child, ended } = start(args);
  child.stdin.end();
  return ended;
}

/** Runs a command that succeeds, and reads the JSON that it prints. */
async function json(...args: string[]) {
  const { code, stdout, stderr } = await cli(...args, '--json');
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

function writeWorkflow(name: string, workflow: unknown): string {
  writeFileSync(join(dir.path, name), JSON.stringify(workflow));
  return name;
}

const sum = (extra: object = {}) => ({
  name: 'Sum',
  steps: [
    {
      id: 'sum',
      type: 'tool_execution',
      config: { toolName: 'calculator', args: { operation: 'add', a: '{{input.a}}', b: 3 } },
      ...extra,
    },
  ],
});

/** Starts a workflow without waiting for it. @returns its trace id */
async function startWorkflow(workflow: object, inputs: object): Promise<string> {
  const { body } = await send(
    'POST',
    `${service.url}/api/workflow/execute-custom`,
    { workflow, inputs },
    { ...bearer(key), prefer: 'respond-async' },
  );
  return body.data.traceId;
}

test('tools are listed and run', async () => {
  const { code, stdout } = await cli('tools', 'list');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^NAME +ARGUMENTS +DESCRIPTION\n/);
  expect(stdout).toMatch(/^calculator +operation, a, b/m);
  expect(await json('tools', 'list')).toContainEqual(expect.objectContaining({ name: 'calculator' }));

  const fields = ['operation=add', 'a=2', 'b=3'];
  expect(await cli('tools', 'run', 'calculator', ...fields)).toEqual({ code: 0, stdout: '5\n', stderr: '' });
  const args = '{"operation":"multiply","a":2,"b":3}';
  expect(await json('tools', 'run', 'calculator', '--args', args, 'b=7')).toMatchObject({ result: 14 });

  const refused = await cli('tools', 'run', 'no_such_tool', '--json');
  expect([refused.code, refused.stdout]).toEqual([3, '']);
  expect(JSON.parse(refused.stderr)).toMatchObject({ error: { status: 404, code: 'TOOL_NOT_FOUND' } });
});

test('a workflow of a file or the standard input runs; its run is listed, shown, and followed', async () => {
  const file = writeWorkflow('sum.json', sum());
  expect(await cli('workflows', 'run', file, '--input', 'a=4')).toEqual({
    code: 0,
    stdout: '{\n  "sum": 7\n}\n',
    stderr: '',
  });
  const { child, ended } = start(['workflows', 'run', '-', '--input', 'a=5', '--json']);
  child.stdin.end(JSON.stringify(sum()));
  expect(JSON.parse((await ended).stdout)).toMatchObject({ results: { sum: { result: 8 } } });
  expect((await cli('workflows', 'run', file, '--dry-run', '--input', 'a=4')).stdout).toBe(
    'The workflow is valid.\n',
  );

  const traceId = await startWorkflow(sum(), { a: 6 });
  const followed = await cli('runs', 'follow', traceId);
  expect(followed.code).toBe(0);
  expect(followed.stdout).toMatch(/ {2}run\.started\n[^]* {2}step\.completed +sum[^]* {2}run\.completed\n$/);
  const lines = (await cli('runs', 'follow', traceId, '--after', '1', '--json')).stdout.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).type)).toEqual([
    'step.scheduled',
    'step.completed',
    'run.completed',
  ]);

  const shown = (await cli('runs', 'show', traceId)).stdout;
  expect(shown).toContain(`trace id     ${traceId}\n`);
  expect(shown).toMatch(
    /^STEP +NAME +STATUS +ATTEMPTS +TOOK +ERROR\nsum +calculator +completed +1 +[\d.]+ s$/m,
  );
  expect(await json('runs', 'show', traceId)).toMatchObject({ traceId, status: 'completed' });
  expect(await json('runs', 'show', traceId, '--step', 'sum')).toMatchObject({ input: { a: 6 }, output: 9 });

  await waitFor(async () => (await cli('runs', 'list', '--area', 'workflow')).stdout.includes(traceId), {
    what: 'the run to be listed',
  });
  const { runs, next } = await json('runs', 'list', '--area', 'workflow', '--limit', '1');
  expect([runs.length, typeof next]).toEqual([1, 'string']);
  const page = await cli('runs', 'list', '--area', 'workflow', '--limit', '1', '--cursor', next);
  expect(page.stdout).toMatch(/^STARTED +STATUS +AREA +TYPE +TOOK +TRACE ID\n.* completed +workflow/);
});

test('the problems of a workflow are printed by step, and its failure is the exit code', async () => {
  const wrong = writeWorkflow('wrong.json', {
    name: 'Wrong',
    steps: [
      { id: 'first', type: 'no_such_type', config: {} },
      { id: 'second', type: 'llm_call', config: { prompt: '{{sun.result}}' } },
    ],
  });
  const { code, stdout, stderr } = await cli('workflows', 'run', wrong);
  expect([code, stderr]).toEqual([3, expect.stringMatching(/^400 [A-Z_]+: /)]);
  expect(stdout).toMatch(/^STEP +FIELD +PROBLEM\nfirst +type +.*\nsecond +config\.prompt +.*sun.*\n$/);
  expect(JSON.parse((await cli('workflows', 'run', wrong, '--json')).stdout)).toMatchObject({
    valid: false,
    problems: [{ step: 'first' }, { step: 'second' }],
  });

  const failing = writeWorkflow(
    'failing.json',
    sum({ config: { toolName: 'calculator', args: { operation: 'divide', a: 1, b: 0 } } }),
  );
  const failed = await cli('workflows', 'run', failing, '--json');
  expect([failed.code, failed.stdout]).toEqual([1, '']);
  expect(JSON.parse(failed.stderr)).toMatchObject({ error: { code: 'WORKFLOW_EXECUTION_FAILED' } });
});

test('following ends at SIGINT and leaves the run, which is cancelled', async () => {
  const traceId = await startWorkflow(sum({ approval: true }), { a: 1 });
  const { child, stdout, ended } = start(['runs', 'follow', traceId]);
  await waitFor(() => stdout().includes('approval.requested'), { what: 'the approval to be shown' });
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ code: 130, stderr: '' });
  expect(await json('runs', 'show', traceId)).toMatchObject({
    status: expect.stringMatching(/running|waiting/),
  });

  const { code, stdout: said } = await cli('runs', 'cancel', traceId, '--reason', 'not needed');
  expect([code, said]).toEqual([0, expect.stringMatching(/^The run (will be|has ended: )cancelled\.?\n$/)]);
  const followed = await cli('runs', 'follow', traceId);
  expect([followed.code, followed.stdout]).toEqual([1, expect.stringContaining('run.cancelled')]);
});

test('the agent answers a message, and each line of the standard input', async () => {
  expect(await cli('agent', 'chat', 'My name is Ada', '--user', 'ada', '--session', 's')).toEqual({
    code: 0,
    stdout: 'Hello Ada\n',
    stderr: '',
  });
  const args = ['agent', 'chat', 'Hello', '--user', 'ada', '--session', 't', '--agent', 'none'];
  expect(await cli(...args)).toMatchObject({ stderr: expect.stringContaining('no agent "none"') });
  const { child, ended } = start(['agent', 'chat', '--user', 'ada', '--json']);
  child.stdin.end('Hello\n\nHello again\n');
  const { code, stdout, stderr } = await ended;
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^The session is [\w-]{36}\n$/)]);
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).response),
  ).toEqual(['Hello Ada', 'Hello Ada']);
});

test('schedules are listed', async () => {
  const action = {
    type: 'tool',
    request: { toolName: 'calculator', args: { operation: 'add', a: 2, b: 3 } },
  };
  const body = { id: 'nightly-sum', spec: { cron: ['30 2 * * *'], interval: '9d' }, action };
  expect((await send('POST', `${service.url}/api/schedules`, body, bearer(key))).status).toBe(201);
  expect((await cli('schedules', 'list')).stdout).toMatch(
    /^ID +ACTION +SPEC +NEXT RUN +LATEST RUN +PAUSED\nnightly-sum +tool +30 2 \* \* \* \| 9d +20\S+Z\n$/,
  );
  expect(await json('schedules', 'list')).toMatchObject({
    schedules: [{ id: 'nightly-sum', paused: false }],
  });
  const removed = await request(`${service.url}/api/schedules/nightly-sum`, {
    method: 'DELETE',
    headers: bearer(key),
  });
  expect(removed.status).toBe(200);
});

test('a run is started again, from a step, with other inputs and results', async () => {
  const traceId = 'first';
  const data = {
    traceId: 'second',
    workflowId: 'w',
    status: 'running',
    rerunOf: { traceId, workflowId: 'v' },
    reused: ['a', 'b'],
  };
  const peer = await startStubPeer(({ path }, response) => {
    const isKnown = path === '/api/runs/first/rerun';
    response.writeHead(isKnown ? 202 : 404, { 'content-type': 'application/json' });
    const refusal = { code: 'PATH_NOT_FOUND', detail: 'There is no \u001b[31mpath\u0007' };
    response.end(JSON.stringify(isKnown ? { success: true, data } : refusal));
  });
  try {
    const args = ['--from', 'c', '--input', 'place=Paris', '--override', 'b={"result":[1]}'];
    const run = (...more: string[]) => start([...more, ...args], { HOLDFAST_URL: peer.url }).ended;
    const { code, stdout } = await run('runs', 'rerun', traceId);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^trace id +second\n[^]*^rerun of +first\nreused +a, b\n$/m),
    ]);
    expect(JSON.parse((await run('runs', 'rerun', traceId, '--json')).stdout)).toEqual(data);
    const [sent] = peer.requests;
    expect(JSON.parse(sent!.body)).toEqual({
      fromStep: 'c',
      inputs: { place: 'Paris' },
      overrides: { b: { result: [1] } },
    });
    expect(sent!.headers).toMatchObject({
      authorization: `Bearer ${key}`,
      'idempotency-key': expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    // What could steer a terminal is left out.
    expect(await run('runs', 'rerun', 'other')).toMatchObject({
      code: 3,
      stderr: '404 PATH_NOT_FOUND: There is no [31mpath\n',
    });
  } finally {
    await peer.close();
  }
  const unknown = await cli('runs', 'rerun', '00000000-0000-4000-8000-000000000000');
  expect([unknown.code, unknown.stderr]).toEqual([3, expect.stringMatching(/^404 /)]);
});

test.each([
  [[], /^holdfast-client COMMAND/],
  [['runs'], /^There is no command "runs"/],
  [['runs', 'show'], /^Usage: holdfast-client runs show ID \[--step STEP\] \[--json\]\n$/],
  [['runs', 'cancel', 'one', 'two'], /^Usage: /],
  [['runs', 'list', '--colour'], /--colour/],
  [['runs', 'list', '--limit'], /--limit/],
  [['runs', 'rerun', 'one', '--override', 'step'], /^"step" is not NAME=VALUE\n$/],
  [['runs', 'rerun', 'one', '--override', 'step={'], /^The override of step is not JSON: /],
  [['tools', 'run', 'calculator', '--args', '[]'], /^--args is no JSON object\n$/],
  [['workflows', 'run', 'none.json'], /^none\.json cannot be read: /],
  [['agent', 'chat', 'Hello'], /^--user is missing/],
])('%j is a wrong command line', async (args, message) => {
  expect(await cli(...args)).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
});

test.each([
  ['a key that the service does not have', { HOLDFAST_API_KEY: WRONG_KEY }, 3, /^401 UNAUTHENTICATED: /],
  ['a key that no header can have', { HOLDFAST_API_KEY: 'hidden-word\nb' }, 2, /^HOLDFAST_API_KEY has char/],
  [
    'an address with a password',
    { HOLDFAST_URL: 'http://a:hidden-word@localhost' },
    2,
    /^HOLDFAST_URL is not/,
  ],
  ['an address of nothing', { HOLDFAST_URL: 'nothing' }, 2, /^HOLDFAST_URL is not/],
  ['a service that is away', { HOLDFAST_URL: 'http://127.0.0.1:1' }, 4, /cannot be reached/],
])('with %s a command ends with an error', async (_, env, code, message) => {
  const { child, ended } = start(['tools', 'list'], env);
  child.stdin.end();
  expect(await ended).toEqual({ code, stdout: '', stderr: expect.stringMatching(message) });
});

test('help is the output, and no request is needed for it', async () => {
  const env = { HOLDFAST_URL: 'nothing' };
  const all = await start(['--help'], env).ended;
  expect(all).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ {2}runs rerun {6}starts a run/m) });
  const one = await start(['runs', 'rerun', '--help'], env).ended;
  expect(one.stdout).toBe(
    'holdfast-client runs rerun ID [--from STEP] [--input NAME=VALUE]... [--override STEP=JSON]... [--json]\n',
  );
});
