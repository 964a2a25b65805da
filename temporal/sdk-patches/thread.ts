import { parentPort, workerData } from 'node:worker_threads';
import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared';
import { noteActivations } from './note-activations';
import { createNoteFile } from './note-file';
import { formatStacksOnDemand } from './promise-stacks';
import { readOwnThreadId } from './thread-wait';

/** The data that the process passes to its workflow thread. */
export interface ThreadData {
  /** Path of the note file. */
  readonly path: string;
  /** Index 0 is the serial that `noteActivations` sets, index 1 the system's id of the thread. */
  readonly serial: Int32Array;
  /** Whether stack traces of promises are formatted only when a query asks for them. */
  readonly formatsOnDemand: boolean;
}

if (parentPort === null) throw new Error('this is the entry of a worker thread');
const { path, serial, formatsOnDemand } = workerData as ThreadData;
Atomics.store(serial, 1, readOwnThreadId());
noteActivations(parentPort, createNoteFile(path), serial);
if (formatsOnDemand) formatStacksOnDemand(globalHandlers);
// The SDK's own entry adds its listener here, which has to come after the listener above.
// eslint-disable-next-line @typescript-eslint/no-require-imports
require('@temporalio/worker/lib/workflow/workflow-worker-thread');
