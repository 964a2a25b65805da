import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { answerOf, ask, initializeAgent } from '../support/agent';
import { apiCall, calculator } from '../support/calls';
import { get } from '../support/http';
import { facilityRows, reportOf, upload } from '../support/imports';
import { startLoad } from '../support/load';
import { getEpisodic, LEXICAL, remember } from '../support/memories';
import { spawnPart } from '../support/process';
import { openStage, type Stage } from '../support/stage';
import { waitFor } from '../support/wait';

const ROWS = 10_000;
/**
 * Deadlines pass also while the service is stopped, so the waiting call needs time for backup and restore.
 */
const PATIENT = { TOOL_TIMEOUT_MS: '170000' };
/** A value of more than this size is stored as a file and not in the history. */
const LARGE = 'x'.repeat(64 * 1_024);

let stage: Stage;
let first: Record<string, string>;
let second: Record<string, string>;
let backup: string;

beforeEach(async () => {
  stage = await openStage({ ownTemporal: true });
  first = { DATA_DIR: join(stage.dataDir, 'first'), ...LEXICAL, ...PATIENT };
  second = { DATA_DIR: join(stage.dataDir, 'second'), ...LEXICAL, ...PATIENT };
  backup = join(stage.dataDir, 'backup');
});

afterEach(() => stage.close());

async function runPart(part: 'backup' | 'restore', env: Record<string, string>): Promise<void> {
  const started = spawnPart(part, env, { args: [backup] });
  expect([await started.exited, started.output()]).toEqual([0, '']);
}

test('a backup taken under writes holds all that was acknowledged before it, and its runs go on', async () => {
  const { peer } = stage;
  const api = await stage.allInOne(first);
  const recordsUrl = String(api.process.lines.find(({ msg }) => msg === 'holdfast is up')?.['records']);
  await initializeAgent(api);

  // The run waits in its second step, with a large value in its history.
  const held = {
    ...apiCall(`${peer.url}/held`),
    args: { url: `${peer.url}/held`, method: 'PUT', repeatable: true, body: { large: LARGE } },
  };
  const key = randomUUID();
  const sequence = api.post(
    '/api/tools/execute-sequential',
    { tools: [apiCall(`${peer.url}/first`), held, calculator('add', 1, 2)] },
    { 'idempotency-key': key },
  );
  await peer.arrived('/held');

  const remembering = startLoad(2, 1_000, (n) => remember(api, 'dana', `event ${n} of the day`));
  const talking = startLoad(1, 1_000, (n) => ask(api, `I bought ${n} lamps`, { userId: 'ravi' }));
  const registering = startLoad(1, 1_000, (n) =>
    api.post('/api/tools/register', {
      name: `tool-${n}`,
      description: 'made by a test',
      parameters: {},
      execute: `() => ${n}`,
    }),
  );
  const loads = [remembering, talking, registering];
  await Promise.all(loads.map((load) => load.reached(3)));
  const { id: importId } = (await upload(recordsUrl, facilityRows(ROWS))).body.data;
  await reportOf(recordsUrl, importId, ({ rows }) => rows > 0);

  const clerk = { name: 'Clerk', description: 'Sells', instructions: 'Be brief.' };
  const { data: agent } = (await api.send('PUT', '/api/agents/clerk', clerk)).body;

  const acknowledged = loads.map(({ answers }) => answers.length);
  await runPart('backup', first);
  expect((await reportOf(recordsUrl, importId, () => true)).state).toBe('running');
  // The service wrote on after the backup, which the copy must not contain.
  await Promise.all(loads.map((load, n) => load.reached((acknowledged[n] ?? 0) + 3)));
  await api.process.stop();
  await Promise.all([...loads.map(({ done }) => done), sequence.catch(() => undefined)]);

  await runPart('restore', second);
  const again = await stage.allInOne(second);
  const againRecords = String(again.process.lines.find(({ msg }) => msg === 'holdfast is up')?.['records']);

  const [events = 0, turns = 0, tools = 0] = acknowledged;
  for (const { body } of remembering.answers.slice(0, events)) {
    expect((await getEpisodic(again, body.data.id)).body.data).toMatchObject({
      content: body.data.content,
    });
  }
  const { episodic } = (await again.get('/api/memory/stats/ravi')).body.data;
  expect(episodic.count).toBeGreaterThanOrEqual(2 * turns);
  for (let n = 0; n < tools; n += 1) {
    expect((await again.get(`/api/tools/tool-${n}`)).status).toBe(200);
  }

  expect((await again.get('/api/agents/clerk?version=1')).body.data).toEqual(agent);

  await peer.arrived('/held', 2);
  expect(peer.count('/first')).toBe(1);
  expect(peer.requests.at(-1)?.body).toBe(JSON.stringify({ large: LARGE }));
  const keys = peer.requests
    .filter(({ path }) => path === '/held')
    .map(({ headers }) => headers['idempotency-key']);
  expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys[0]]);
  peer.release('/held');
  const ended = await waitFor(
    async () => {
      const { body } = await again.get(`/api/runs?workflowId=execute-tools/sequence/key-${key}`);
      return body.data.closedAt !== null && body.data;
    },
    { what: 'the run to end' },
  );
  expect(ended).toMatchObject({ status: 'completed' });

  const report = await reportOf(againRecords, importId);
  expect(report).toMatchObject({ rows: ROWS, failed: 0 });
  expect((await get(`${againRecords}/api/facilities?limit=1`)).body.data.total).toBe(ROWS);

  // The last place of its session may belong to a turn that the copied engine does not know.
  const answer = await answerOf(ask(again, 'Hello there, how are you?', { userId: 'ravi' }));
  expect(answer.response).toEqual(expect.any(String));
});
