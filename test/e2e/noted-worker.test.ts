import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Client } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { readNote } from '../../temporal/sdk-patches/note-file';
import { readProcessorWaitMs } from '../../temporal/sdk-patches/thread-wait';
import { createNotedWorker } from '../../temporal/sdk-patches/noted-worker';
import { sharedTemporal } from '../support/service';
import { makeTempDir } from '../support/temp-dir';
import { waitFor } from '../support/wait';

const BUNDLE = resolve(__dirname, '..', '..', 'dist', 'workflow-bundle.js');

/** Fails if the SDK creates its workflow thread, or communicates with it, in a way that the notes do not expect. */
test("the SDK's own thread notes the run that it executes, and clears the note", async () => {
  const dir = makeTempDir();
  const path = join(dir.path, 'note');
  const serial = new Int32Array(new SharedArrayBuffer(8));
  const connection = await NativeConnection.connect({ address: sharedTemporal() });
  const taskQueue = `test-${randomUUID()}`;
  let exits = 0;
  const failures: unknown[] = [];
  const { worker, isNoted } = await createNotedWorker(
    { connection, taskQueue, workflowBundle: { codePath: BUNDLE } },
    {
      data: { path, serial, formatsOnDemand: true },
      onExit: () => (exits += 1),
      onTaskFailure: (run, reason) => failures.push({ ...run, reason }),
    },
  );
  expect(isNoted).toBe(true);
  expect(readProcessorWaitMs(serial[1]!) > 0).toBe(process.platform === 'linux');
  const running = worker.run();
  const workflowId = `noted-${randomUUID()}`;
  const { workflow } = new Client({ connection });
  // The workflow cannot read this input, so its task fails in workflow code, which is enough here.
  const handle = await workflow.start('executeTool', { taskQueue, workflowId });

  // Clearing a note replaces its first character alone.
  const lastNote = (): string => `{${readFileSync(path, 'utf8').slice(1).split('\n', 1)[0]!}`;
  const noted = await waitFor(() => JSON.parse(lastNote()) as unknown, { what: 'a note' });
  expect(noted).toEqual({ runId: handle.firstExecutionRunId, workflowId, workflowType: 'executeTool' });
  await waitFor(() => Atomics.load(serial, 0) === 0 && readNote(path) === undefined, {
    what: 'the note to be cleared',
  });

  // Another build may have given another input, so this is a failure that the same code repeats.
  await waitFor(() => failures.length > 0, { what: 'the failure of the task' });
  expect(failures[0]).toEqual({ ...(noted as object), reason: expect.stringContaining('undefined') });

  expect(exits).toBe(0);
  await handle.terminate();
  worker.shutdown();
  await running;
  expect(exits).toBe(1);
  await connection.close();
  dir.remove();
});
