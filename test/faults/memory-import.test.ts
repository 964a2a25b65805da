import { readdirSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer } from '../support/http';
import { clearMemories, countMemories, LEXICAL, newUser } from '../support/memories';
import { exported, importMemories, importReportOf, said } from '../support/memory-imports';
import type { PartProcess } from '../support/process';
import { type Api, openStage, type Stage } from '../support/stage';
import { endedRun, stopRun } from '../support/stop-runs';
import { waitFor } from '../support/wait';

const LINES = 12_000;
const START = Date.parse('2022-01-01T00:00:00Z');

let stage: Stage;
let api: Api;
let worker: PartProcess;

beforeAll(async () => {
  stage = await openStage();
  [api, worker] = await Promise.all([stage.api(LEXICAL), stage.worker(LEXICAL)]);
});
afterAll(() => stage.close());

const lines = Array.from({ length: LINES }, (_, n) =>
  said(
    n === 100 ? 'I live in Leeds.' : `note ${n} about sailing`,
    new Date(START + n * 60_000).toISOString(),
  ),
);
const runOf = ({ headers }: Answer) => ({
  traceId: headers.get('x-trace-id') ?? '',
  workflowId: headers.get('x-workflow-id') ?? '',
});
const isUnderWay = ({ rows }: { rows: number }): boolean => rows > 1_000;

async function begin(userId: string): Promise<{ started: Answer; path: string }> {
  const started = await importMemories(api.url, userId, lines);
  const path = started.headers.get('location') ?? '';
  await importReportOf(api.url, path, { isEnough: isUnderWay });
  return { started, path };
}

test('an import whose worker is killed is ended by another, and loses and doubles nothing', async () => {
  const userId = newUser();
  const { path } = await begin(userId);
  await worker.kill();
  worker = await stage.worker(LEXICAL);
  expect(await importReportOf(api.url, path)).toMatchObject({
    ...{ state: 'completed', rows: LINES, created: LINES, present: 0, failed: 0 },
  });
  const all = (await exported(api.url, userId)).slice(0, -1);
  expect(all.map(({ content }) => content)).toEqual(
    lines.map((line) => (line as { content: string }).content),
  );
  for (const [n, { relationships }] of all.entries()) expect(relationships.previous).toBe(all[n - 1]?.id);
  const { body } = await api.get(`/api/memory/facts/${userId}`);
  expect(body.data.facts).toMatchObject([{ attribute: 'home', value: 'Leeds' }]);
});

test('an import that is cancelled stops and says so, and the same upload imports the rest', async () => {
  const userId = newUser();
  const { started, path } = await begin(userId);
  await stopRun(api, 'cancel', runOf(started), { reason: 'enough' });
  expect((await endedRun(api, runOf(started))).body.data.status).toBe('cancelled');
  const report = await importReportOf(api.url, path);
  expect(report.state).toBe('cancelled');
  const { episodic } = await countMemories(api, userId);
  expect(episodic).toBeGreaterThan(1_000);
  expect(episodic).toBeLessThan(LINES);
  const again = await importMemories(api.url, userId, lines);
  const rest = await importReportOf(api.url, again.headers.get('location') ?? '');
  // A step stores a few more memories until it hears of the cancellation.
  expect(rest).toMatchObject({ state: 'completed', rows: LINES, failed: 0 });
  expect(rest.present).toBeGreaterThanOrEqual(1_000);
  expect(await countMemories(api, userId)).toEqual({ episodic: LINES, semantic: 0 });
  // The first import had stored what says this, and was cancelled before it drew facts.
  const { body } = await api.get(`/api/memory/facts/${userId}`);
  expect(body.data.facts).toMatchObject([{ attribute: 'home', value: 'Leeds' }]);
});

test('nothing stays of an import whose user is erased meanwhile, neither memories nor rows nor report', async () => {
  const userId = newUser();
  const { started, path } = await begin(userId);
  expect((await clearMemories(api, userId)).status).toBe(200);
  expect(await countMemories(api, userId)).toEqual({ episodic: 0, semantic: 0 });
  expect((await api.get(path)).body.error).toBe('Import not found');
  const { traceId, workflowId } = runOf(started);
  const run = `/api/runs/${traceId}?workflowId=${encodeURIComponent(workflowId)}`;
  await waitFor(async () => (await api.get(run)).status === 404, { what: 'the run to be deleted' });
  const users = join(stage.dataDir, 'imports', 'users');
  const left = existsSync(users)
    ? readdirSync(users, { recursive: true }).filter((name) => String(name).includes(started.body.data.id))
    : [];
  expect(left).toEqual([]);
});
