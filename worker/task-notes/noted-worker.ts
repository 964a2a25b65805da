import { Worker as Thread } from 'node:worker_threads';
import { Worker } from '@temporalio/worker';
import type { WorkerOptions } from '@temporalio/worker';
import { ThreadedVMWorkflowCreator, WorkerThreadClient } from '@temporalio/worker/lib/workflow/threaded-vm';
import { compiledEntry } from '../../src/base/compiled-entry';
import type { ThreadData } from './thread';

export interface NotedThread {
  readonly data: ThreadData;
  /** Called once when the thread ends, whether or not it was asked to. */
  readonly onExit: () => void;
}

/**
 * A worker whose workflow thread notes what it executes. It differs from `Worker.create` by the thread's entry alone. The
 * SDK has no option for that, so this overrides how it makes the thread, with the SDK's own parts.
 *
 * @returns `isNoted` false where the SDK is in its debug mode, which has no thread
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
    // The thread has no worker that would end it.
    await thread?.terminate();
    throw error;
  }
}
