import { existsSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { NO_METRICS } from '../../../src/base/metrics';
import { createDocumentStore } from '../../../src/factories/create-stores';
import type { DocumentStore } from '../../../src/stores/documents';
import { createTally } from '../../../src/worker-faults/tally';
import type { EngineConnection } from '../../../temporal/engine';
import { noteFolder, processId } from '../../../worker/note-files';
import { createWorkerGuard, type WorkerGuard } from '../../../worker/worker-guard';
import { makeTempDir, type TempDir } from '../../support/temp-dir';

const LONG_AGO = new Date(Date.now() - 31 * 86_400_000);
/** No run has to be ended in these tests. */
const connection = {} as EngineConnection;

let dir: TempDir;
let folder: string;
let documents: DocumentStore;
let lines: { msg: string; reason: string }[];
beforeEach(() => {
  dir = makeTempDir();
  folder = noteFolder(dir.path);
  mkdirSync(folder);
  documents = createDocumentStore({ path: join(dir.path, 'holdfast.db') });
  lines = [];
});
afterEach(async () => {
  await documents.close();
  dir.remove();
});

function guard(): WorkerGuard {
  const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as never) });
  return createWorkerGuard({
    dataDir: dir.path,
    logger,
    documents,
    metrics: NO_METRICS,
    isVersioned: false,
    windowMs: 30_000,
    patches: ['workflow-thread', 'stack-traces'],
  });
}

test('old notes that cannot be removed are warnings: the worker starts, and the others are removed', async () => {
  // The guard can neither remove them as files nor read their age, as any user.
  const stubborn = join(folder, 'a-folder');
  mkdirSync(stubborn);
  utimesSync(stubborn, LONG_AGO, LONG_AGO);
  symlinkSync('a-loop', join(folder, 'a-loop'));
  const old = join(folder, 'z-another-machine~1~1~1~1');
  writeFileSync(old, '');
  utimesSync(old, LONG_AGO, LONG_AGO);

  await guard().recover(connection);
  expect(lines.map(({ msg }) => msg)).toEqual([
    'an old note of a worker could not be removed',
    'an old note of a worker could not be removed',
  ]);
  expect(lines.map(({ reason }) => reason).join()).toMatch(/a-folder.*ELOOP/);
  expect(existsSync(old)).toBe(false);
});

test('a note that was counted and cannot be removed is a warning, and counts once', async () => {
  mkdirSync(join(folder, `${processId({ pid: process.pid, start: 'before' })}~1`));
  await guard().recover(connection);
  await guard().recover(connection);
  expect(lines.map(({ msg }) => msg)).toEqual([
    'a worker had ended without being stopped',
    'an abnormal end or a stall of a worker could not be counted',
    'an abnormal end or a stall of a worker could not be counted',
  ]);
  expect((await createTally(documents, 'abnormal-ends').read()).count).toBe(1);
});
