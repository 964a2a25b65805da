import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesWith, historyTexts } from '../support/history-texts';
import type { Answer } from '../support/http';
import { processesNaming } from '../support/processes';
import { type Service, startService } from '../support/service';
import { startRun } from '../support/stop-runs';
import { connectTemporal, type TestClient } from '../support/temporal-client';
import { waitFor } from '../support/wait';

const SCRIPT = join(__dirname, '..', 'support', 'stdio-mcp.mjs');
const SECRET = `not-for-histories-${randomUUID()}`;
/** In the command line of each process that this suite starts. */
const MARK = `stdio-${randomUUID()}`;

/** The same for commands that cannot be listed. */
const BAD_MARK = `bad-${randomUUID()}`;
const SILENT =
  'it did not answer within 15000 ms; a command may write only messages of the protocol to its standard output';
const badServer = (behaviour: string) => ({
  name: 'bad',
  command: process.execPath,
  args: [SCRIPT, behaviour, BAD_MARK],
});
/** Servers that cannot be listed, and why. */
const BAD: readonly [object, string][] = [
  [{ name: 'bad', command: 'no-such-program-here' }, 'its command was not found on this machine'],
  [{ name: 'bad', command: '/' }, 'its command may not be run on this machine'],
  [badServer('exit'), 'it ended before it answered'],
  [badServer('garbage'), SILENT],
  [badServer('hang'), SILENT],
];

let service: Service;
let temporal: TestClient;
let refusals: Promise<Answer[]>;
beforeAll(async () => {
  [service, temporal] = await Promise.all([startService({ MCP_STDIO: 'yes' }), connectTemporal()]);
  // Those that do not answer take a quarter of a minute, in which the other tests run.
  refusals = Promise.all(BAD.map(([server]) => add(server)));
});
afterAll(async () => {
  await service.stop();
  await temporal.close();
});

const serverOf = (name: string, behaviour: string, ...more: string[]) => ({
  name,
  command: process.execPath,
  args: [SCRIPT, behaviour, MARK, ...more],
});
const add = (server: object) => service.post('/api/mcp-servers', server);
const execute = (toolName: string) => service.post('/api/tools/execute', { toolName, args: {} });
const noProcesses = (mark = MARK) =>
  waitFor(() => processesNaming(mark).length === 0, { what: 'the processes of the commands to end' });

test.each([
  ['2026-07-28', 'modern'],
  ['2025-11-25', 'legacy'],
])('a command of the revision %s is listed and called', async (protocol, behaviour) => {
  const added = await add({ ...serverOf(behaviour, behaviour), env: { SHOP_KEY: SECRET } });
  expect([added.status, added.body.data.protocol]).toEqual([201, protocol]);
  const { status, body } = await execute(`${behaviour}.look`);
  expect([status, body.data.result.key]).toEqual([200, SECRET]);
  const inherited = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'];
  const unknown = body.data.result.names.filter((name: string) => ![...inherited, 'SHOP_KEY'].includes(name));
  expect(unknown).toEqual([]);
  await noProcesses();
});

test('the environment of a command is in no history, answer or store', async () => {
  await add({ ...serverOf('secret', 'modern'), env: { SHOP_KEY: SECRET } });
  const { body } = await service.get('/api/mcp-servers/secret');
  expect(body.data).toMatchObject({ command: process.execPath, env: ['SHOP_KEY'] });
  const ran = await execute('secret.talk');
  expect(ran.body.data.result).toBe('done');
  const workflowId = ran.headers.get('x-workflow-id')!;
  const log = await service.get(`/api/runs/${ran.headers.get('x-trace-id')}/events`);
  const history = await historyTexts(temporal.client, workflowId);
  expect(history).toContain('secret.talk');
  expect(JSON.stringify([body, log.body]) + history).not.toContain(SECRET);
  expect(filesWith(SECRET, service.dataDir)).toEqual([]);
  expect(service.process.output() + JSON.stringify(service.process.lines)).not.toContain(
    'a line for the log',
  );
});

test('a change of a command waits for a confirmation', async () => {
  const file = join(service.dataDir, 'description.txt');
  writeFileSync(file, 'Looks');
  await add(serverOf('changing', 'modern', file));
  writeFileSync(file, 'Sends your keys somewhere');
  const refreshed = await service.post('/api/mcp-servers/changing/refresh');
  expect(refreshed.body.data.pending.tools).toMatchObject([{ name: 'changing.look', change: 'changed' }]);
  const confirmed = await service.post('/api/mcp-servers/changing/confirm');
  expect([confirmed.status, confirmed.body.data.pending]).toEqual([200, undefined]);
  expect((await execute('changing.look')).status).toBe(200);
});

test('a command that hangs in a call is ended with the call', async () => {
  await add({ ...serverOf('slow', 'modern'), toolTimeoutMs: 2_000 });
  const { status, body } = await execute('slow.wait');
  expect([status, body.message]).toEqual([500, 'Tool execution timeout']);
  expect(body.error).toBe('The tool "slow.wait" did not finish within 2000 ms (limit: toolTimeoutMs)');
  await noProcesses();
});

test('a command that ends in a call fails it, and is not called again', async () => {
  await add(serverOf('brittle', 'modern'));
  const { status, body } = await execute('brittle.break');
  expect([status, body.error]).toEqual([
    500,
    'The tool "brittle.break" of the server "brittle" failed: it ended before it answered',
  ]);
});

test('a command that cannot be listed is not added, and leaves no process', async () => {
  const answers = await refusals;
  expect(answers.map(({ status, body }) => [status, body.error])).toEqual(
    BAD.map(([, reason]) => [502, `The tools of "bad" cannot be listed: ${reason}`]),
  );
  const { errorOutput } = await service.process.line('the command of an MCP server ended by itself');
  expect(errorOutput).toContain('there is no configuration');
  await noProcesses(BAD_MARK);
});

test.each([
  ['neither url nor command', {}],
  ['both', { url: 'http://127.0.0.1:9/mcp', command: 'shop' }],
  ['an environment that is no object', { command: 'shop', env: 'A=B' }],
])('a server with %s is refused', async (_, fields) => {
  const { status, body } = await add({ name: 'wrong', ...fields });
  expect([status, body.message]).toEqual([400, 'Validation error']);
});

test('a service that stops leaves no process of a command', async () => {
  const leaving = await startService({ MCP_STDIO: 'yes' });
  const { client } = temporal;
  await leaving.post('/api/mcp-servers', serverOf('leaving', 'modern'));
  const { workflowId } = await startRun(leaving, '/api/tools/execute', {
    toolName: 'leaving.wait',
    args: {},
  });
  await waitFor(() => processesNaming(MARK).length > 0, { what: 'the process of the call' });
  await leaving.stop();
  expect(processesNaming(MARK)).toEqual([]);
  await client.workflow.getHandle(workflowId).terminate();
});
