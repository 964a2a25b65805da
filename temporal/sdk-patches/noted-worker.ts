import { Worker as Thread } from 'node:worker_threads';
import { Worker, type WorkerOptions } from '@temporalio/worker';
import { ThreadedVMWorkflowCreator, WorkerThreadClient } from '@temporalio/worker/lib/workflow/threaded-vm';
import { coresdk } from '@temporalio/proto';
import { compiledEntry } from '../../src/base/compiled-entry';
import type { NotedRun } from './note-file';
import type { ThreadData } from './thread';

const { EvictionReason } = coresdk.workflow_activation.RemoveFromCache;
/**
 * Begins the stack trace of an error that workflow code threw and that the same code repeats: it met an input or history of another
 * build, or the bundle has no workflow of this type. Errors of the process, such as those of a store of large values, may pass.
 */
const THROWN_IN_BUNDLE = /^[^"\\]*workflow-bundle\.js:\d+\\n/;
const REPEATED = /\\n(?:TypeError|ReferenceError): /;
/** The beginning of the failure's message in the text that the SDK's core makes of it, with line ends and quotes escaped. */
const MESSAGE = /message: "((?:[^"\\]|\\.){0,500})/;
const MAX_LENGTH = 500;
const TRACE_LENGTH = 2_000;

export interface NotedThread {
  readonly data: ThreadData;
  /** Called once when the thread ends, whether it was stopped or ended by itself. */
  readonly onExit: () => void;
  /** Called with each failed attempt at a workflow task that the same code cannot complete, and why. */
  readonly onTaskFailure: (run: NotedRun, reason: string) => void;
}

/**
 * Creates a worker whose workflow thread notes which run it executes, and which reports the runs that its code cannot continue.
 * The SDK has no option for either, so this overrides the method that creates the thread, in which it uses the SDK's own
 * parts, and the one that every activation of a run passes through.
 *
 * @returns `isNoted` is false in the SDK's debug mode, which runs workflows without a thread
 */
export async function createNotedWorker(
  options: WorkerOptions,
  { data, onExit, onTaskFailure }: NotedThread,
): Promise<{ worker: Worker; isNoted: boolean }> {
  let thread: Thread | undefined;
  const runs = new Map<string, NotedRun>();

  class NotedWorker extends Worker {
    protected static override async createWorkflowCreator(
      ...[workflowBundle, compiled, logger]: Parameters<(typeof Worker)['createWorkflowCreator']>
    ): ReturnType<(typeof Worker)['createWorkflowCreator']> {
      if (compiled.debugMode) return super.createWorkflowCreator(workflowBundle, compiled, logger);
      thread = new Thread(compiledEntry('temporal/sdk-patches/thread'), { workerData: data });
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

    protected override handleActivation(
      ...[workflow, given]: Parameters<Worker['handleActivation']>
    ): ReturnType<Worker['handleActivation']> {
      const { runId, jobs } = given.activation;
      for (const { initializeWorkflow, removeFromCache } of jobs) {
        const { workflowId, workflowType } = initializeWorkflow ?? {};
        if (workflowId && workflowType) runs.set(runId, { workflowId, runId, workflowType });
        if (!removeFromCache) continue;
        const run = runs.get(runId);
        const reason = readTaskFailure(removeFromCache);
        if (run !== undefined && reason !== undefined) onTaskFailure(run, reason);
        runs.delete(runId);
      }
      return super.handleActivation(workflow, given);
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

type Eviction = coresdk.workflow_activation.IRemoveFromCache;

/**
 * Reads from the eviction of a run why this build cannot continue it.
 * @returns undefined if the run was evicted for another reason, or may be continued by another attempt
 */
export function readTaskFailure({ reason, message }: Eviction): string | undefined {
  const text = message ?? '';
  const isRepeated =
    reason === EvictionReason.NONDETERMINISM ||
    (reason === EvictionReason.LANG_FAIL && isRepeatedError(text));
  return isRepeated ? (MESSAGE.exec(text)?.[1] ?? text).slice(0, MAX_LENGTH) : undefined;
}

function isRepeatedError(text: string): boolean {
  const trace = text.split('stack_trace: "', 2)[1]?.slice(0, TRACE_LENGTH) ?? '';
  return THROWN_IN_BUNDLE.test(trace) && REPEATED.test(trace);
}
