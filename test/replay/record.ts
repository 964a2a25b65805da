/**
 * Records the histories that `replay.test.ts` replays. Run by hand, after a build, when a workflow type or a
 * path through one is new:
 *
 *   npm run build && node --require ./test/contract/support/run-typescript.cjs test/replay/record.ts [name ...]
 *
 * With names only those are recorded. A history that is there stays as it is, because it stands for the runs
 * that were in flight under an earlier version: to record it anew, delete it first. A new one needs its line in
 * `histories/guards.ts`.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import { approvalsIn } from '../support/approvals';
import { freePort } from '../support/free-port';
import { post, send } from '../support/http';
import { upload } from '../support/imports';
import { importMemories } from '../support/memory-imports';
import { LEXICAL } from '../support/memories';
import { startModelServer } from '../support/model-server';
import { localBy } from '../support/model-service';
import { startOtherWorker } from '../support/other-workers/start';
import { type PartProcess, spawnPart } from '../support/process';
import { startRemoteMcp } from '../support/remote-mcp';
import { sendJson, startStubPeer, type StubPeer } from '../support/stub-peer';
import type { RunIds } from '../support/stop-runs';
import { makeTempDir } from '../support/temp-dir';
import { waitFor } from '../support/wait';
import { HISTORIES } from './histories';
import { agentScenarios } from './agent-scenarios';
import { chatScenarios } from './chat-scenarios';
import { intentScenarios } from './intent-scenarios';
import { mcpScenarios, SHOP_TOOLS } from './mcp-scenarios';
import { externalScenarios, OTHER_QUEUE } from './external-scenarios';
import { factScenarios, memoryScenarios, passScenarios, seedMemories } from './memory-scenarios';
import { type ModelScenario, modelScenarios } from './model-scenarios';
import { notTakenScenarios, queueScenarios } from './queue-scenarios';
import { importScenarios } from './record-scenarios';
import { rerunScenarios } from './rerun-scenarios';
import { scenarios } from './scenarios';
import { webhookScenarios } from './webhook-scenarios';
import type { ImportScenario, Scenario, StartedScenario } from './scenario';

/** Removes what identifies the machine that recorded the history, and stores the rest in one line. */
function anonymous(history: string): string {
  const blank = (key: string, value: unknown): unknown => {
    if (key === 'stackTrace') return '';
    return typeof value === 'string' ? value.replaceAll(hostname(), 'recorder') : value;
  };
  return `${JSON.stringify(JSON.parse(history, blank))}\n`;
}

function startPeer(): Promise<StubPeer> {
  const peer = startStubPeer(async ({ path }, response) => {
    if (path === '/never') return;
    const first = (await peer).count(path) === 1;
    if (path === '/flaky' && first) return sendJson(response, 503, {});
    sendJson(response, 200, { name: 'Ada', items: [{ id: 7 }] });
  });
  return peer;
}

async function freeze(service: PartProcess, milliseconds: number): Promise<void> {
  // The wait is long enough for the tool to be under way.
  await delay(500);
  service.signal('SIGSTOP');
  await delay(milliseconds);
  service.signal('SIGCONT');
}

async function keep(client: Client, name: string, workflowId: string): Promise<void> {
  const history = await client.workflow.getHandle(workflowId).fetchHistory();
  mkdirSync(HISTORIES, { recursive: true });
  writeFileSync(join(HISTORIES, `${name}.json`), anonymous(historyToJSON(history)));
  process.stdout.write(`${name}: ${String(history.events?.length)} events\n`);
}

/** Waits for the end of the run of a type that a worker starts. */
async function startedRun(client: Client, type: string): Promise<string> {
  return waitFor(
    async () => {
      const query = `WorkflowType = '${type}' AND ExecutionStatus = 'Completed'`;
      for await (const { workflowId } of client.workflow.list({ query })) return workflowId;
      return undefined;
    },
    { what: `a run of ${type} to end` },
  );
}

interface Recording {
  /** Settings of the service that are added to those of all scenarios. */
  readonly env?: Readonly<Record<string, string>>;
  scenarios(peerUrl: string, shopUrl: string): (Scenario | ModelScenario)[];
  readonly imports?: readonly ImportScenario[];
  readonly started?: readonly StartedScenario[];
}

const RECORDINGS: readonly Recording[] = [
  {
    scenarios: (peerUrl, shopUrl) => [
      ...scenarios(peerUrl),
      ...rerunScenarios(peerUrl),
      ...webhookScenarios(peerUrl),
      ...modelScenarios(peerUrl),
      ...intentScenarios(),
      ...memoryScenarios(),
      ...chatScenarios(),
      ...agentScenarios(),
      ...queueScenarios(peerUrl),
      ...mcpScenarios(shopUrl),
      ...externalScenarios(),
    ],
    imports: importScenarios(),
    started: passScenarios(),
  },
  { env: { WORKER_QUEUES: 'workflows' }, scenarios: notTakenScenarios },
  { env: { MEMORY_FACTS: 'model' }, scenarios: factScenarios },
];

async function record(
  { env = {}, scenarios: scenariosAt, imports = [], started = [] }: Recording,
  names: readonly string[],
): Promise<void> {
  const isWanted = ({ name }: { readonly name: string }): boolean =>
    !existsSync(join(HISTORIES, `${name}.json`)) && (names.length === 0 || names.includes(name));
  if (![...scenariosAt('', ''), ...imports, ...started].some(isWanted)) return;
  const dir = makeTempDir();
  const [peer, models, shop] = await Promise.all([
    startPeer(),
    startModelServer(),
    startRemoteMcp(SHOP_TOOLS),
  ]);
  await seedMemories(dir.path);
  const temporalPort = await freePort();
  const service = spawnPart('service', {
    DATA_DIR: dir.path,
    PORT: '0',
    RECORDS_PORT: '0',
    TEMPORAL_PORT: String(temporalPort),
    TEMPORAL_UI_PORT: String(await freePort()),
    TASK_QUEUE: 'recorded',
    EXTERNAL_QUEUES: OTHER_QUEUE,
    ...LEXICAL,
    ...localBy(models),
    ...env,
  });
  let other: PartProcess | undefined;
  try {
    const { api, records } = await service.line('holdfast is up');
    const connection = await Connection.connect({ address: `127.0.0.1:${temporalPort}` });
    const client = new Client({ connection });
    await post(`${String(api)}/api/intent-classifier/initialize`, {});
    other = await startOtherWorker(OTHER_QUEUE, `127.0.0.1:${temporalPort}`);
    for (const scenario of scenariosAt(peer.url, shop.url).filter(isWanted)) {
      const { name, prepare, before = [], ahead, freezeMs, method = 'POST', path, body, started } = scenario;
      const { firstDelivery } = scenario;
      if (prepare !== undefined) await post(`${String(api)}/api/tools/register`, prepare);
      let id: unknown;
      if ('model' in scenario) models.script(...(scenario.modelBefore ?? []));
      for (const request of before) {
        const { method: verb = 'POST' } = request;
        const { body: made, headers } = await send(verb, `${String(api)}${request.path}`, request.body);
        id = made.data?.id ?? headers.get('x-trace-id');
      }
      models.reset();
      if ('model' in scenario) models.script(...scenario.model);
      const earlier = ahead === undefined ? undefined : post(`${String(api)}${ahead.path}`, ahead.body);
      if (earlier !== undefined) {
        await waitFor(() => models.requests.length > 0, { what: 'the request ahead to be under way' });
      }
      const answering = send(method, String(api) + path.replace(':id', String(id)), body);
      if (freezeMs !== undefined) await freeze(service, freezeMs);
      const answer = await answering;
      if (scenario.approval !== undefined) {
        const [asked] = approvalsIn(answer);
        await post(`${String(api)}/api/approvals/${asked?.id ?? ''}`, scenario.approval.answer);
        const { traceId, workflowId } = answer.body.data as RunIds;
        await client.workflow.getHandle(workflowId, traceId).result();
        if (scenario.approval.name !== undefined)
          await keep(client, scenario.approval.name, `${workflowId}/approval/${asked?.step ?? ''}`);
      }
      const earlierId = (await earlier)?.headers.get('x-workflow-id') ?? undefined;
      const workflowId =
        started === undefined ? answer.headers.get('x-workflow-id') : await startedRun(client, started);
      if (workflowId === null) throw new Error(`${name} started no run: ${answer.text}`);
      if (firstDelivery !== undefined) {
        const feed = `${workflowId}/webhooks`;
        await client.workflow.getHandle(feed).result();
        await keep(client, name, feed);
        await keep(client, firstDelivery, `${feed}/1`);
        continue;
      }
      // A rerun is answered before its end.
      if (answer.status === 202) await client.workflow.getHandle(workflowId).result();
      await keep(client, name, workflowId);
      if (scenario.calledTurn !== undefined) await keep(client, scenario.calledTurn, `${workflowId}/agent/1`);
      if (scenario.externalCall !== undefined)
        await keep(client, scenario.externalCall, `${workflowId}/call/1`);
      if (ahead?.name !== undefined && earlierId !== undefined) await keep(client, ahead.name, earlierId);
    }
    for (const { name, rows, userId } of imports.filter(isWanted)) {
      // The memories that are there have vectors of another model.
      if (userId !== undefined) await post(`${String(api)}/api/memory/reindex`, {});
      const uploaded =
        userId === undefined
          ? upload(String(records), rows)
          : importMemories(String(api), userId, rows.join('\n'));
      const workflowId = (await uploaded).headers.get('x-workflow-id') ?? '';
      await client.workflow.getHandle(workflowId).result();
      await keep(client, name, workflowId);
    }
    for (const { name, before = [], type, input } of started.filter(isWanted)) {
      for (const request of before) await post(`${String(api)}${request.path}`, request.body);
      const run = { taskQueue: 'recorded', workflowId: name, args: [input] };
      await (await client.workflow.start(type, run)).result();
      await keep(client, name, name);
    }
    await connection.close();
  } finally {
    await other?.stop();
    await service.stop();
    await Promise.all([peer.close(), models.close(), shop.close()]);
    dir.remove();
  }
}

async function main(names: readonly string[]): Promise<void> {
  for (const recording of RECORDINGS) await record(recording, names);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
