import { basename } from 'node:path';
import { Worker } from '@temporalio/worker';
import type { WorkerOptions } from '@temporalio/worker';
import { messageOf } from '../src/base/errors';
import type { Logger } from '../src/base/logger';
import type { Metrics } from '../src/base/metrics';
import type { DocumentStore } from '../src/stores/documents';
import { createRunStrikes, MAX_STRIKES } from '../src/worker-faults/strikes';
import { createTally } from '../src/worker-faults/tally';
import type { PreviousProcess } from '../src/supervision/parent-link';
import type { EngineConnection } from '../temporal/engine';
import { endHarmfulRun } from '../temporal/harmful-run';
import type { NotedRun } from './task-notes/note-file';
import { clearNote, readNote } from './task-notes/note-file';
import {
  leftNotes,
  noteFolder,
  notePath,
  processId,
  removeForgottenNotes,
  removeNote,
  TOUCH_EVERY_MS,
  touchNote,
} from './task-notes/note-files';
import { createNotedWorker } from './task-notes/noted-worker';
import { STALL_MS, watchStalls } from './task-notes/stall-watch';
import { waitedForProcessorMs } from './task-notes/thread-wait';

export interface GuardPorts {
  readonly dataDir: string;
  readonly logger: Logger;
  readonly documents: Pick<DocumentStore, 'get' | 'write'>;
  readonly metrics: Metrics;
  /** The process whose place this one takes after an abnormal end. */
  readonly previous?: PreviousProcess | undefined;
}

export interface GuardedWorker {
  readonly worker: Worker;
  /** Call it when the worker has ended, and before another one polls. */
  release(): Promise<void>;
}

/**
 * Finds the runs whose workflow code ends or stalls their worker, and ends a run that did so twice, so that the tasks of all
 * others go on. The cause does not matter: a native abort of the process, a thread without memory, an endless loop.
 */
export interface WorkerGuard {
  /** Counts what processes that are gone were executing. The process calls it before it polls; it works once, and throws nothing. */
  recover(connection: EngineConnection): Promise<void>;
  /** A worker of workflows that is watched. */
  create(options: WorkerOptions, connection: EngineConnection): Promise<GuardedWorker>;
}

const MAX_LOST_RUNS = 1_000;
const NOT_NOTED = 'runs whose workflow code ends or stalls this worker are not recognised';

export function createWorkerGuard({
  dataDir,
  logger,
  documents,
  metrics,
  previous,
}: GuardPorts): WorkerGuard {
  const folder = noteFolder(dataDir);
  const strikes = createRunStrikes(documents);
  const abnormalEnds = createTally(documents, 'abnormal-ends');
  const endedRuns = createTally(documents, 'ended-runs');
  /**
   * By run, the time of its activations that were lost because they took too long. On a busy machine one of them alone has too
   * little of its own to be a strike.
   */
  const lostMs = new Map<string, number>();
  let threads = 0;
  let recovering: Promise<void> | undefined;

  async function strike(
    connection: EngineConnection,
    { workflowId, runId, workflowType }: NotedRun,
    id: string,
    what: string,
  ): Promise<void> {
    const run = { workflowId, runId, workflowType };
    const count = await strikes.add(runId, id);
    logger.warn(
      { ...run, reason: what, strikes: count },
      'the workflow code of a run did harm to its worker',
    );
    if (count < MAX_STRIKES || !(await endHarmfulRun(connection, run))) return;
    await endedRuns.add(runId, `${workflowType}: ${what}`);
    metrics.harmfulRunEnded();
    logger.error({ ...run, reason: what }, 'ended a run that did harm to its worker twice');
  }

  async function countEnd(id: string, reason: string): Promise<void> {
    if (!(await abnormalEnds.add(id, reason))) return;
    metrics.workerEndedAbnormally();
    logger.warn({ reason }, 'a worker had ended without having been stopped');
  }

  function tellOfCount(error: unknown): void {
    logger.warn({ reason: messageOf(error) }, 'harm to a worker could not be counted');
  }

  async function recover(connection: EngineConnection): Promise<void> {
    const known = previous === undefined ? undefined : { id: processId(previous), how: previous.how };
    for (const { path, id, process, run } of await leftNotes(folder)) {
      try {
        const how = known?.id === process ? ` by ${known.how}` : '';
        if (run !== undefined) await strike(connection, run, id, `its worker process ended${how}`);
        await countEnd(process, `its process ended${how} ${during(run)}`);
        removeNote(path);
      } catch (error) {
        // The file stays, and the next process to start counts it.
        tellOfCount(error);
      }
    }
    // It may have ended before it had a workflow thread.
    if (known !== undefined) await countEnd(known.id, `its process ended by ${known.how}`).catch(tellOfCount);
    removeForgottenNotes(folder, (error) => {
      logger.warn({ reason: messageOf(error) }, 'an old note of a worker could not be removed');
    });
  }

  async function create(options: WorkerOptions, connection: EngineConnection): Promise<GuardedWorker> {
    let path: string;
    try {
      path = notePath(folder, (threads += 1));
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
          tellOfCount(error);
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
      // One activation is one strike, also when the process ends before the activation does.
      count(async () => clearNote(path));
      count(() => strike(connection, run, `${id}-${at}`, `its task stalled its worker for ${STALL_MS} ms`));
    };
    const waitedMs = (): number => waitedForProcessorMs(Atomics.load(serial, 1));
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
        await countEnd(id, `its workflow thread ended ${during(run)}`);
      });
    };

    try {
      const noted = await createNotedWorker(options, { data: { path, serial }, onExit });
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

  // What cannot be counted is no reason to take no work.
  return { recover: (connection) => (recovering ??= recover(connection).catch(tellOfCount)), create };
}

/** In a figure that health shows: the kind of run, and no id. */
function during(run: NotedRun | undefined): string {
  return run === undefined ? 'outside of workflow code' : `in workflow code of ${run.workflowType}`;
}
