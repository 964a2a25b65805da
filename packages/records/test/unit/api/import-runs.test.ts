import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { WorkflowNotFoundError } from '@temporalio/common';
import { createImportRuns, type ImportRuns } from '../../../../../api/runs/import-runs';
import type { ImportCounts } from '../../../../../src/contracts/http/imports';
import { HoldfastError } from '../../../../../src/base/errors';
import type { ImportFiles } from '../../../../../src/imports/import-files';
import { FolderBlobs } from '../../../../../src/stores/blobs/folder-blobs';
import type { RunClient, RunRequest } from '../../../../../temporal/runs/run-client';
import { createRequestContext } from '../../../../../test/support/request-context';
import { importFiles } from '../../../../../test/support/imports';
import { makeTempDir, type TempDir } from '../../../../../test/support/temp-dir';
import { importOfRecords } from '../../../api/import-routes';

let dir: TempDir;
let files: ImportFiles;
beforeEach(() => {
  dir = makeTempDir();
  files = importFiles(new FolderBlobs(dir.path), { maxBytes: 1_000, maxRowBytes: 1_000 });
});
afterEach(() => dir.remove());

interface Server {
  /** How the start of a run ends; absent for a run that starts and continues. */
  readonly start?: (request: RunRequest) => never;
  /** The state of a run at the server; absent if the server has no such run. */
  readonly status?: string;
  readonly isConnected?: boolean;
  readonly isReachable?: boolean;
}

function importsOn({
  start,
  status,
  isConnected = true,
  isReachable = true,
}: Server): ImportRuns<ImportCounts> {
  const describe = (): Promise<unknown> =>
    status === undefined
      ? Promise.reject(new WorkflowNotFoundError('none', 'import-records/1', undefined))
      : Promise.resolve({ status: { name: status } });
  const connection = {
    namespaceId: 'here',
    client: { workflow: { getHandle: () => ({ describe }) } },
    native: { withDeadline: (_: number, call: () => unknown) => call() },
  };
  const client: RunClient = {
    execute: (request, onStarted) => {
      start?.(request);
      onStarted({ workflowId: request.workflowId, runId: 'one' });
      return new Promise(() => undefined);
    },
    join: ({ workflowId }) => Promise.resolve({ freeWorkflowId: workflowId }),
  };
  const engine = {
    isReachable: () => isReachable,
    current: () => {
      if (!isConnected) throw new HoldfastError('ENGINE_UNAVAILABLE', 'not connected yet');
      return connection as never;
    },
  };
  const quiet = (): void => undefined;
  return createImportRuns({ client, engine, files, logger: { warn: quiet } as never });
}

function begin(imports: ImportRuns<ImportCounts>): ReturnType<typeof imports.start> {
  const body = Readable.from([Buffer.from('{}')]);
  return imports.start(body, importOfRecords(undefined), createRequestContext());
}

/** Paths of all files that are stored for imports. */
function kept(): string[] {
  const folder = join(dir.path, 'imports');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
}

test('nothing is kept of an upload if there is no engine', async () => {
  await expect(begin(importsOn({ isConnected: false }))).rejects.toMatchObject({
    code: 'ENGINE_UNAVAILABLE',
  });
  expect(kept()).toEqual([]);
});

const refusing = (code: 'INTERNAL' | 'ENGINE_UNAVAILABLE') => (): never => {
  throw new HoldfastError(code, 'no');
};

test('nothing is kept where the run was refused', async () => {
  await expect(begin(importsOn({ start: refusing('INTERNAL') }))).rejects.toThrow('no');
  expect(kept()).toEqual([]);
});

test.each([
  ['may yet be started', { start: refusing('ENGINE_UNAVAILABLE') }],
  ['was started all the same', { start: refusing('INTERNAL'), status: 'RUNNING' }],
])('rows are kept where the run %s', async (_what, server) => {
  await expect(begin(importsOn(server))).rejects.toThrow('no');
  expect(kept()).toEqual(['progress.json', 'rows.ndjson', 'run.json']);
});

test.each<[string, Server, string]>([
  ['goes on', { status: 'RUNNING' }, 'running'],
  ['was terminated', { status: 'TERMINATED' }, 'failed'],
  ['was cancelled', { status: 'CANCELLED' }, 'cancelled'],
  ['has failed', { status: 'FAILED' }, 'failed'],
  ['is not known any more', {}, 'failed'],
  ['cannot be asked for', { status: 'FAILED', isReachable: false }, 'running'],
])('the report of an import whose run %s', async (_what, server, state) => {
  const { id } = await begin(importsOn({ status: 'RUNNING' }));
  expect((await importsOn(server).report(id)).state).toBe(state);
});

test('a report that was completed stands, whatever became of the run', async () => {
  const { id, startedAt } = await begin(importsOn({ status: 'RUNNING' }));
  const done = { rows: 1, created: 1, present: 0, failed: 0, bytesDone: 2 };
  await files.storeReport({ id, state: 'completed', startedAt, ...done }, []);
  expect(await importsOn({}).report(id)).toMatchObject({ state: 'completed', created: 1 });
});
