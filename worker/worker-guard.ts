import { basename } from 'node:path';
import { Worker, type WorkerOptions } from '@temporalio/worker';
import { messageOf } from '../src/base/errors';
import type { Logger } from '../src/base/logger';
import type { Metrics } from '../src/base/metrics';
import type { DocumentStore } from '../src/stores/documents';
import { createRunStrikes, MAX_STRIKES } from '../src/worker-faults/strikes';
import { createTally } from '../src/worker-faults/tally';
import type { SdkPatch } from '../src/settings/temporal';
import type { PreviousProcess } from '../src/supervision/parent-link';
import type { EngineConnection } from '../temporal/engine';
import { serverClock } from '../temporal/server-clock';
import { endHarmfulRun, HARMFUL_RUN_REASON, readOpenTask } from '../temporal/runs/harmful-run';
import { clearNote, type NotedRun, readNote } from '../temporal/sdk-patches/note-file';
import {
  findAbandonedNotes,
  noteFolder,
  prepareNotePath,
  processId,
  removeForgottenNotes,
  removeNote,
  TOUCH_EVERY_MS,
  touchNote,
} from './note-files';
import { createNotedWorker } from '../temporal/sdk-patches/noted-worker';
import { STALL_MS, watchStalls } from './stall-watch';
import { readProcessorWaitMs } from '../temporal/sdk-patches/thread-wait';
import { createUnfitRuns } from './unfit-runs';

export interface GuardPorts {
  readonly dataDir: string;
  readonly logger: Logger;
  readonly documents: Pick<DocumentStore, 'get' | 'write'>;
  readonly metrics: Metrics;
  /** Whether workers say which build they are of (Worker Versioning). */
  readonly isVersioned: boolean;
  /** The setting `WORKER_UNFIT_RUN_WINDOW_MS`. */
  readonly windowMs: number;
  /** The process that ended abnormally and that this one replaces. */
  readonly previous?: PreviousProcess | undefined;
  /** The patches of the SDK in use. Without `workflow-thread` no run is recognised, and stack traces are the SDK's own. */
  readonly patches: readonly SdkPatch[];
}

export interface GuardedWorker {
  readonly worker: Worker;
  /** The caller calls this when the worker has ended, and before another one polls. */
  release(): Promise<void>;
}

/**
 * Finds the runs whose workflow code ends or stalls their worker, and terminates a run whose same task did so
 * twice, so that the tasks of all other runs continue. The cause does not matter: a native abort of the process, a
 * thread without memory or an endless loop. It also has runs ended that the code cannot continue (`unfit-runs.ts`).
 */
export interface WorkerGuard {
  /**
   * Counts the runs that ended processes were executing. The process calls this before it polls. Further calls do
   * nothing more, and it never rejects.
   */
  recover(connection: EngineConnection): Promise<void>;
  /** Creates a worker of workflows and watches it. */
  create(options: WorkerOptions, connection: EngineConnection): Promise<GuardedWorker>;
}

const MAX_LOST_RUNS = 1_000;
const NOT_NOTED = 'runs whose workflow code ends or stalls this worker are not recognised';

export function createWorkerGuard({
  dataDir,
  logger,
  documents,
  metrics,
  isVersioned,
  windowMs,
  previous,
  patches,
}: GuardPorts): WorkerGuard {
  const folder = noteFolder(dataDir);
  const strikes = createRunStrikes(documents);
  const unfitRuns = createUnfitRuns({ documents, logger, isVersioned, windowMs, now: serverClock.now });
  const abnormalEnds = createTally(documents, 'abnormal-ends');
  const endedRuns = createTally(documents, 'ended-runs');
  /**
   * By run id, the own time of the run's activations that took too long. On a busy machine a single one may
   * have too little own time to count as a strike, so the times of a run are added up.
   */
  const lostMs = new Map<string, number>();
  let threads = 0;
  let recovering: Promise<void> | undefined;

  async function strike(
    connection: EngineConnection,
    { workflowId, runId, workflowType }: NotedRun,
    id: string,
    what: string,
    diedAt?: number,
  ): Promise<void> {
    const run = { workflowId, runId, workflowType };
    const task = await readOpenTask(connection, run, diedAt);
    if (task === undefined) return;
    const count = await strikes.add(runId, task, id);
    logger.warn(
      { ...run, reason: what, strikes: count },
      'the workflow code of a run ended or stalled its worker',
    );
    if (count < MAX_STRIKES || !(await endHarmfulRun(connection, run, HARMFUL_RUN_REASON))) return;
    await endedRuns.add(runId, `${workflowType}: ${what}`);
    metrics.harmfulRunEnded();
    logger.error(
      { ...run, reason: what },
      'terminated a run whose workflow code ended or stalled its worker twice',
    );
  }

  async function countEnd(id: string, reason: string): Promise<void> {
    if (!(await abnormalEnds.add(id, reason))) return;
    metrics.workerEndedAbnormally();
    logger.warn({ reason }, 'a worker had ended without being stopped');
  }

  function logUncounted(error: unknown): void {
    logger.warn({ reason: messageOf(error) }, 'an abnormal end or a stall of a worker could not be counted');
  }

  async function recover(connection: EngineConnection): Promise<void> {
    const known = previous === undefined ? undefined : { id: processId(previous), how: previous.how };
    for (const { path, id, process, touchedAt, run } of await findAbandonedNotes(folder)) {
      try {
        const how = known?.id === process ? ` by ${known.how}` : '';
        // Notes have times of this machine, and runs those of the server.
        const diedAt = touchedAt - (serverClock.skewMs() ?? 0);
        if (run !== undefined) await strike(connection, run, id, `its worker process ended${how}`, diedAt);
        await countEnd(process, `its process ended${how} ${describeExecution(run)}`);
        removeNote(path);
      } catch (error) {
        // The note stays, and the next process that starts counts it.
        logUncounted(error);
      }
    }
    // The previous process may have ended before it had a workflow thread, and so without a note.
    if (known !== undefined)
      await countEnd(known.id, `its process ended by ${known.how}`).catch(logUncounted);
    removeForgottenNotes(folder, (error) => {
      logger.warn({ reason: messageOf(error) }, 'an old note of a worker could not be removed');
    });
  }

  async function create(options: WorkerOptions, connection: EngineConnection): Promise<GuardedWorker> {
    if (!patches.includes('workflow-thread')) {
      logger.warn(NOT_NOTED);
      return { worker: await Worker.create(options), release: () => Promise.resolve() };
    }
    let path: string;
    try {
      path = prepareNotePath(folder, (threads += 1));
    } catch (error) {
      logger.warn({ reason: messageOf(error) }, NOT_NOTED);
      return { worker: await Worker.create(options), release: () => Promise.resolve() };
    }
    const id = basename(path);
    const serial = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
    const counting: Promise<boolean>[] = [];
    let worker: Worker | undefined;

    const count = (what: () => Promise<void>): void => {
      const counted = what().then(
        () => true,
        (error: unknown) => {
          logUncounted(error);
          return false;
        },
      );
      counting.push(counted);
    };

    const onLost = (at: number, ms: number): void => {
      const run = readNote(path);
      if (run === undefined || Atomics.load(serial, 0) !== at) return;
      const total = (lostMs.get(run.runId) ?? 0) + ms;
      if (lostMs.size >= MAX_LOST_RUNS) lostMs.clear();
      lostMs.set(run.runId, total);
      if (total < STALL_MS) return;
      lostMs.delete(run.runId);
      // Clearing the note keeps one activation from counting as two strikes when the process ends before the
      // activation does.
      count(async () => clearNote(path));
      count(() => strike(connection, run, `${id}-${at}`, `its task stalled its worker for ${STALL_MS} ms`));
    };
    const waitedMs = (): number => readProcessorWaitMs(Atomics.load(serial, 1));
    const endWatch = watchStalls({ serial, waitedMs, onLost });
    const touching = setInterval(() => touchNote(path), TOUCH_EVERY_MS).unref();
    const stopWatching = (): void => {
      endWatch();
      clearInterval(touching);
    };

    const onExit = (): void => {
      stopWatching();
      const run = readNote(path);
      if (run === undefined && worker?.getState() !== 'RUNNING') return;
      count(async () => {
        if (run !== undefined) await strike(connection, run, id, 'the workflow thread of its worker ended');
        await countEnd(id, `its workflow thread ended ${describeExecution(run)}`);
      });
    };

    try {
      const onTaskFailure = (run: NotedRun, reason: string): void =>
        count(() => unfitRuns.count(connection, run, reason));
      const data = { path, serial, formatsOnDemand: patches.includes('stack-traces') };
      const noted = await createNotedWorker(options, { data, onExit, onTaskFailure });
      if (!noted.isNoted) logger.warn(NOT_NOTED);
      worker = noted.worker;
    } catch (error) {
      stopWatching();
      removeNote(path);
      throw error;
    }
    return {
      worker,
      async release() {
        stopWatching();
        if ((await Promise.all(counting)).every(Boolean)) removeNote(path);
      },
    };
  }

  // The worker takes tasks even if ended processes could not be counted.
  return { recover: (connection) => (recovering ??= recover(connection).catch(logUncounted)), create };
}

/** Says what was executed, in the reason that health shows: the type of the run, and no id. */
function describeExecution(run: NotedRun | undefined): string {
  return run === undefined ? 'outside of workflow code' : `in workflow code of ${run.workflowType}`;
}
