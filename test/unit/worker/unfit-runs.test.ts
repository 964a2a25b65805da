import { join } from 'node:path';
import { pino } from 'pino';
import { createDocumentStore } from '../../../src/factories/create-stores';
import type { DocumentStore } from '../../../src/stores/documents';
import type { EngineConnection } from '../../../temporal/engine';
import { createUnfitRuns } from '../../../worker/unfit-runs';
import { makeTempDir, type TempDir } from '../../support/temp-dir';

const RUN = { workflowId: 'w', runId: 'r', workflowType: 'customWorkflow' };
const REASON = '[TMPRL1100] Nondeterminism error: x';
const SECONDS = 1_000;

let dir: TempDir;
let documents: DocumentStore;
let lines: { msg: string; failures?: number }[];
let ended: string[];
/** The last workflow task that the run has completed. */
let completed: number;
let hasTask: boolean;

beforeEach(() => {
  dir = makeTempDir();
  documents = createDocumentStore({ path: join(dir.path, 'holdfast.db') });
  lines = [];
  ended = [];
  completed = 4;
  hasTask = true;
});
afterEach(async () => {
  await documents.close();
  dir.remove();
});

const connection = {
  namespace: 'default',
  client: {
    workflowService: {
      describeWorkflowExecution: () => Promise.resolve(hasTask ? { pendingWorkflowTask: {} } : {}),
      getWorkflowExecutionHistoryReverse: () =>
        Promise.resolve({
          history: { events: [{ eventId: completed, workflowTaskCompletedEventAttributes: {} }] },
          nextPageToken: new Uint8Array(),
        }),
    },
    workflow: { getHandle: () => ({ terminate: (reason: string) => Promise.resolve(ended.push(reason)) }) },
  },
  native: { withDeadline: (_: number, call: () => unknown) => call() },
} as unknown as EngineConnection;

/** Counts attempts that failed at these times, in seconds. */
async function failAt(times: readonly number[], isVersioned = false): Promise<void> {
  let now = 0;
  const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as never) });
  const runs = createUnfitRuns({ documents, logger, isVersioned, windowMs: 4_000, now: () => now });
  for (const time of times) {
    now = time * SECONDS;
    await runs.count(connection, RUN, REASON);
  }
}

test('a run is ended after three failed attempts at one task, with the reason', async () => {
  await failAt([100, 104]);
  expect(ended).toEqual([]);
  await failAt([108]);
  expect(ended).toEqual([
    `The run was ended because the workflow code of this build cannot continue it: ${REASON}`,
  ]);
  expect(lines.at(-1)).toMatchObject({ ...RUN, reason: REASON, level: 50 });
});

test('attempts of the same window count once', async () => {
  await failAt([100, 100, 100, 101, 102, 103]);
  expect([ended, lines.map(({ failures }) => failures)]).toEqual([[], [1, 1, 1, 1, 1, 1]]);
});

test('a run whose task was completed meanwhile, by a worker of another build, starts again at none', async () => {
  await failAt([100, 104]);
  completed = 8;
  await failAt([108, 112]);
  expect(ended).toEqual([]);
});

test('a run that only waits is not ended by its queries, each of which is replayed', async () => {
  hasTask = false;
  await failAt([100, 104, 108, 112]);
  expect([ended, lines]).toEqual([[], []]);
});

test('no run is ended where workers have builds: it waits for one that can continue it, and the log names it', async () => {
  await failAt([100, 104, 108, 112], true);
  expect(ended).toEqual([]);
  expect(lines).toHaveLength(4);
  expect(lines[0]).toMatchObject({ ...RUN, reason: REASON, level: 50 });
});

test('a server that cannot be asked is a warning', async () => {
  const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as never) });
  await createUnfitRuns({ documents, logger, isVersioned: false, windowMs: 4_000 }).count(
    {} as EngineConnection,
    RUN,
    REASON,
  );
  expect(lines).toMatchObject([{ msg: 'a run that cannot be continued was not counted', runId: 'r' }]);
});
