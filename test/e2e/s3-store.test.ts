import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import { S3Blobs } from '../../src/stores/blobs/s3/s3-blobs';
import { sweepValues } from '../../temporal/payloads/value-sweeper';
import { filesWith } from '../support/history-texts';
import { type Answer, get } from '../support/http';
import { facilityRows, reportOf, upload } from '../support/imports';
import { clearMemories, LEXICAL } from '../support/memories';
import { NEO4J_WAIT_MS, useNeo4j } from '../support/neo4j';
import type { PartProcess } from '../support/process';
import { describeWithS3, type S3Server, startS3 } from '../support/s3-server';
import { type Api, openStage, type Stage } from '../support/stage';
import { waitFor } from '../support/wait';
import { customBody, resultsOf, toolStep } from '../support/workflow-steps';

const ROWS = 10_000;
const DAY_MS = 86_400_000;

describeWithS3('machines that share servers and no folder', () => {
  const neo4j = useNeo4j();
  let stage: Stage;
  let s3: S3Server;
  let api: Api;
  let recordsUrl: string;
  let worker: PartProcess;
  const processes: PartProcess[] = [];

  const machine = (name: string): Record<string, string> => ({
    GRAPH_STORE: 'neo4j',
    NEO4J_URI: neo4j().uri,
    NEO4J_USERNAME: neo4j().username,
    NEO4J_PASSWORD: neo4j().password,
    DATA_DIR: join(stage.dataDir, name),
    SECRETS_KEY: 'ab'.repeat(32),
    MAX_BODY_BYTES: '4000000',
    PAYLOAD_THRESHOLD_BYTES: '8192',
    LOG_LEVEL: 'trace',
    ...LEXICAL,
    ...s3.env,
    S3_PREFIX: 'service/one',
  });

  beforeAll(async () => {
    [stage, s3] = await Promise.all([openStage(), startS3()]);
    const records = stage.spawn('records', machine('api'));
    recordsUrl = String((await records.line('the records API is listening'))['url']);
    api = await stage.api(machine('api'));
    worker = await stage.worker(machine('worker'));
    processes.push(records, api.process, worker);
    await api.post('/api/tools/register', { name: 'twice', execute: '({ text }) => text + text' });
    await api.post('/api/tools/register', { name: 'long', execute: '({ n }) => "y".repeat(n)' });
    await api.post('/api/tools/register', { name: 'length', execute: '({ text }) => text.length' });
  }, NEO4J_WAIT_MS);

  afterAll(async () => {
    await stage.close();
    await s3.stop();
  });

  const run = (toolName: string, args = {}): Promise<Answer> =>
    api.post('/api/tools/execute', { toolName, args });
  const values = (): string => join(s3.folder, 'service', 'one', 'payloads');

  test('a call carries a large argument and a large result', async () => {
    const text = 'large '.repeat(170_000);
    const { status, body } = await run('twice', { text });
    expect(status).toBe(200);
    expect(body.data.result).toBe(text + text);
    expect(filesWith(text, values())).not.toEqual([]);
    for (const name of ['api', 'worker'])
      expect(existsSync(join(stage.dataDir, name, 'payloads'))).toBe(false);
  });

  test('a workflow passes large results from step to step', async () => {
    const answer = await api.post(
      '/api/workflow/execute-custom',
      customBody([
        toolStep('made', 'long', { n: 300_000 }),
        toolStep('doubled', 'twice', { text: '{{made.result}}' }),
        toolStep('measured', 'length', { text: '{{doubled.result}}' }),
      ]),
    );
    const { made, doubled, measured } = resultsOf(answer);
    expect([made, doubled, measured]).toEqual(['y'.repeat(300_000), 'y'.repeat(600_000), 600_000]);
  });

  test('an import goes on at another machine where a killed worker left it', async () => {
    const { id } = (await upload(recordsUrl, facilityRows(ROWS))).body.data;
    expect((await reportOf(recordsUrl, id, ({ rows }) => rows > 0)).state).toBe('running');
    await worker.kill();
    expect((await get(`${recordsUrl}/api/imports/${id}`)).body.data.rows).toBeLessThan(ROWS);
    worker = await stage.worker(machine('another'));
    processes.push(worker);
    const report = await reportOf(recordsUrl, id);
    expect(report).toMatchObject({ rows: ROWS, created: ROWS, present: 0, failed: 0, errors: [] });
    const listed = (await get(`${recordsUrl}/api/facilities?limit=1&sort=-updatedAt`)).body.data;
    expect(listed).toMatchObject({ total: ROWS, facilities: [{ version: 1 }] });
    expect(existsSync(join(s3.folder, 'service', 'one', 'imports', id, 'rows.ndjson'))).toBe(true);
    for (const name of ['api', 'worker', 'another'])
      expect(existsSync(join(stage.dataDir, name, 'imports'))).toBe(false);
  });

  test('while S3 is away, what is large is told so and the rest goes on; a run that needs it waits', async () => {
    const early = await run('long', { n: 50_000 });
    await s3.kill();
    let waiting: Promise<Answer> | undefined;
    try {
      const refused = await run('length', { text: 'z'.repeat(100_000) });
      expect([refused.status, refused.body.error]).toEqual([
        503,
        expect.stringContaining('The store of large values cannot be used: S3 cannot be reached'),
      ]);
      const workflowId = encodeURIComponent(early.headers.get('x-workflow-id') ?? '');
      const unread = await api.get(`/api/runs?workflowId=${workflowId}`);
      expect([unread.status, unread.body.message]).toEqual([503, 'Service unavailable']);
      expect((await upload(recordsUrl, facilityRows(3, 'late'))).status).toBe(503);
      expect((await run('length', { text: 'short' })).body.data.result).toBe(5);
      waiting = run('long', { n: 100_000 });
      await attempts(worker);
    } finally {
      await s3.restart();
    }
    const { status, body } = await waiting;
    expect([status, body.data.result]).toEqual([200, 'y'.repeat(100_000)]);
    expect((await run('length', { text: 'z'.repeat(100_000) })).body.data.result).toBe(100_000);
  });

  test('erasing a user takes away what their turns carried', async () => {
    await api.post('/api/agent/initialize', {});
    const said = `the heron ${'is grey and waits. '.repeat(500)}`;
    const turn = await api.post('/api/agent/execute', {
      query: said,
      options: { userId: 'bird-watcher', sessionId: 'one' },
    });
    expect(turn.status).toBe(200);
    expect(filesWith('the heron', values())).not.toEqual([]);
    expect((await clearMemories(api, 'bird-watcher')).body.data.erased).toMatchObject({ runs: 1 });
    expect(filesWith('the heron', values())).toEqual([]);
  });

  test('a value goes when its run does, and no other', async () => {
    const [gone, kept] = await Promise.all([
      run('length', { text: `gone ${'.'.repeat(20_000)}` }),
      run('length', { text: `kept ${'.'.repeat(20_000)}` }),
    ]);
    const workflowId = gone.headers.get('x-workflow-id') ?? '';
    await deleteRun(stage.client, workflowId);
    const blobs = new S3Blobs({ ...s3.settings, prefix: 'service/one/' });
    const { namespaceInfo } = await stage.client.workflowService.describeNamespace({ namespace: 'default' });
    const sweep = (now: number): Promise<number> =>
      sweepValues({
        blobs,
        namespaceId: namespaceInfo?.id ?? '',
        retentionMs: DAY_MS,
        isKnown: (id) => isKnown(stage.client, id),
        now,
        pauseMs: 1,
      });
    expect(await sweep(Date.now())).toBe(0);
    expect(filesWith('gone ...', values())).not.toEqual([]);
    expect(await sweep(Date.now() + 2 * DAY_MS)).toBe(1);
    expect(filesWith('gone ...', values())).toEqual([]);
    expect(filesWith('kept ...', values())).not.toEqual([]);
    expect(kept.status).toBe(200);
    await blobs.close();
  });

  test('a process whose bucket cannot be used ends with one line', async () => {
    for (const [wrong, words] of [
      [{ S3_BUCKET: 'none-such' }, 'S3 cannot be used: there is no such bucket: check S3_BUCKET'],
      [{ S3_BUCKET: '', PAYLOAD_STORE: 's3' }, 'PAYLOAD_STORE is s3, so S3_BUCKET has to be set'],
      [{ S3_SECRET_ACCESS_KEY: '' }, 'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY belong together.*'],
    ] as const) {
      const refused = stage.spawn('records', { ...machine('api'), ...wrong });
      expect(await refused.exited).toBe(1);
      const lines = refused
        .output()
        .split('\n')
        .filter((line) => line.startsWith('records: '));
      expect(lines).toEqual([expect.stringMatching(new RegExp(`^records: ${words}$`))]);
    }
  });

  test('no log has told the credentials', () => {
    const written = processes.flatMap(({ lines, output }) => [JSON.stringify(lines), output()]).join('\n');
    expect(written).toContain('connected to Temporal');
    expect(written).not.toMatch(/a secret of tests|AWS4-HMAC|Signature=/);
  });
});

/** Waits until the worker has failed to store the result of a step. */
async function attempts(worker: PartProcess): Promise<void> {
  await waitFor(() => worker.lines.some(({ msg }) => msg.includes('offloading ActivityTask result')), {
    what: 'a result that cannot be stored',
  });
}

async function deleteRun(client: Client, workflowId: string): Promise<void> {
  await client.workflowService.deleteWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId },
  });
  await waitFor(async () => !(await isKnown(client, workflowId)), {
    what: 'the run to be gone',
  });
}

function isKnown({ workflow }: Client, workflowId: string): Promise<boolean> {
  return workflow
    .getHandle(workflowId)
    .describe()
    .then(
      () => true,
      (error: unknown) => {
        if (error instanceof WorkflowNotFoundError) return false;
        throw error;
      },
    );
}
