import { Worker as Thread } from 'node:worker_threads';
import { Worker, type WorkerOptions } from '@temporalio/worker';
import { ThreadedVMWorkflowCreator, WorkerThreadClient } from '@temporalio/worker/lib/workflow/threaded-vm';
import { compiledEntry } from '../../src/base/compiled-entry';
import type { ThreadData } from './thread';

export interface NotedThread {
  readonly data: ThreadData;
  /** Called once when the thread ends, whether it was stopped or ended by itself. */
  readonly onExit: () => void;
}

/**
 * Creates a worker whose workflow thread notes which run it executes. It differs from `Worker.create` by the entry
 * file of the thread alone. The SDK has no option for the entry, so this overrides the method that creates the
 * thread, and uses the SDK's own parts in it.
 *
 * @returns `isNoted` is false in the SDK's debug mode, which runs workflows without a thread
 */
export async function createNotedWorker(
  options: WorkerOptions,
  { data, onExit }: NotedThread,
): Promise<{ worker: Worker; isNoted: boolean }> {
  let thread: Thread | undefined;

  class NotedWorker extends Worker {
    protected static override async createWorkflowCreator(
      ...[workflowBundle, compiled, logger]: Parameters<(typeof Worker)['createWorkflowCreator']>
    ): ReturnType<(typeof Worker)['createWorkflowCreator']> {
      if (compiled.debugMode) return super.createWorkflowCreator(workflowBundle, compiled, logger);
      thread = new Thread(compiledEntry('worker/task-notes/thread'), { workerData: data });
      thread.once('exit', onExit);
      const client = new WorkerThreadClient(thread, logger, compiled.patchActivationCallback);
      await client.send({
        type: 'init',
        workflowBundle,
        isolateExecutionTimeoutMs: compiled.isolateExecutionTimeoutMs,
        reuseV8Context: compiled.reuseV8Context,
        registeredActivityNames: new Set(compiled.activities.keys()),
        hasPatchActivationCallback: compiled.patchActivationCallback !== undefined,
      });
      return new ThreadedVMWorkflowCreator([client]);
    }
  }

  try {
    return { worker: await NotedWorker.create(options), isNoted: thread !== undefined };
  } catch (error) {
    // No worker was created that would end the thread.
    await thread?.terminate();
    throw error;
  }
}
