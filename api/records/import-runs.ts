import type { RecordCollection } from '../../src/contracts/http/records/common';
import type { ImportCounts, ImportInput, ImportReport } from '../../src/contracts/http/records/imports';
import { NOTHING_IMPORTED } from '../../src/contracts/http/records/imports';
import { HoldfastError, isHoldfastError, messageOf } from '../../src/base/errors';
import { newId } from '../../src/base/ids';
import type { Logger } from '../../src/base/logger';
import type { ImportFiles } from '../../src/records/import/import-files';
import type { Engine } from '../../temporal/engine';
import type { RunClient } from '../../temporal/run-client';
import { readRunState } from '../../temporal/run-state';
import type { RequestContext } from '../http/route';
import { MAX_RUN_MS } from '../runs/run-limits';
import { startRun, workflowIdOf } from '../runs/start-runs';

/** Imports of records. */
export interface ImportRuns {
  /**
   * Takes the rows in and starts the run that creates their records; a repeat with the same idempotency key finds that
   * run, whatever has become of it.
   * @throws HoldfastError `BODY_TOO_LARGE`, `BODY_TOO_SLOW`, `RUN_CONFLICT`, `ENGINE_UNAVAILABLE`
   */
  start(
    body: AsyncIterable<Uint8Array>,
    collection: RecordCollection | undefined,
    context: RequestContext,
  ): Promise<ImportReport>;
  /**
   * As it was noted last; `failed` where there is no run any more that would go on with it.
   * @throws HoldfastError `IMPORT_NOT_FOUND`
   */
  report(importId: string): Promise<ImportReport>;
}

export interface ImportRunsPorts {
  readonly client: RunClient;
  readonly engine: Pick<Engine, 'current' | 'isReachable'>;
  readonly files: ImportFiles;
  readonly logger: Logger;
}

const PREFIX = 'import-records';

/** What ends the waiting for a run and not the run. */
const STILL_GOING = new Set(['RUN_STILL_GOING', 'REQUEST_ABANDONED']);

export function createImportRuns({ client, engine, files, logger }: ImportRunsPorts): ImportRuns {
  async function noted(importId: string): Promise<ImportReport> {
    const found = await files.report(importId);
    if (found === undefined) throw new HoldfastError('IMPORT_NOT_FOUND', `There is no import "${importId}"`);
    return found;
  }

  async function report(importId: string): Promise<ImportReport> {
    const found = await noted(importId);
    if (found.state !== 'running' || !(await hasEnded(importId))) return found;
    // It may have come to its end before the engine was asked.
    const last = await noted(importId);
    return last.state === 'running' ? { ...last, state: 'failed' } : last;
  }

  /** False also where nobody can tell: what is noted stands then. */
  async function hasEnded(importId: string): Promise<boolean> {
    const run = await files.readRun(importId);
    if (run === undefined || !engine.isReachable()) return false;
    if (run.namespaceId !== engine.current().namespaceId) return false;
    return readRunState(engine, run.workflowId).then(
      (state) => state !== 'running',
      () => false,
    );
  }

  /** Not where the engine may have taken the run without being able to say so. */
  async function forgetRefused(importId: string, workflowId: string, error: unknown): Promise<void> {
    if (isHoldfastError(error) && error.code === 'ENGINE_UNAVAILABLE') return;
    const state = await readRunState(engine, workflowId).catch(() => undefined);
    if (state === 'unknown') await files.forget(importId);
  }

  return {
    report,
    async start(body, collection, context) {
      const upload = await files.receive(body);
      const { idempotencyKey: key } = context;
      // With the digest, so that another upload under the key, which is refused, does not come upon these rows.
      const importId = key === undefined ? newId() : `${key}-${upload.digest.slice(0, 16)}`;
      const workflowId = workflowIdOf(PREFIX, context);
      const progress = { isKept: false };
      try {
        await untilStarted(context, (noteRun) =>
          startRun<ImportCounts>(
            client,
            {
              prefix: PREFIX,
              workflowId,
              asked: { digest: upload.digest, collection: collection ?? null },
              prepare: async () => {
                const startedAt = new Date().toISOString();
                // Nothing is kept where there is no engine to start the run on.
                const { namespaceId } = engine.current();
                progress.isKept = true;
                await files.keep(importId, upload, { startedAt, run: { namespaceId, workflowId } });
                const input: ImportInput = {
                  importId,
                  startedAt,
                  offset: 0,
                  counts: NOTHING_IMPORTED,
                  collection,
                };
                return {
                  workflowType: 'importRecords',
                  input,
                  subject: { area: 'records' },
                  summary: `import ${collection ?? 'records'}`,
                  // A run that a store which is away holds up is not given up for a day.
                  runTimeoutMs: MAX_RUN_MS,
                };
              },
            },
            { ...context, noteRun },
          ),
        );
      } catch (error) {
        if (progress.isKept) await forgetRefused(importId, workflowId, error);
        throw error;
      } finally {
        await files.discard(upload);
      }
      return report(importId);
    },
  };

  /** The run goes on by itself once it is there, and its report tells how it ends. */
  function untilStarted(
    context: RequestContext,
    run: (noteRun: RequestContext['noteRun']) => Promise<unknown>,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      let isStarted = false;
      const noteRun: RequestContext['noteRun'] = (started) => {
        isStarted = true;
        context.noteRun(started);
        resolve();
      };
      run(noteRun).then(
        () => resolve(),
        (error: unknown) => {
          const code = isHoldfastError(error) ? error.code : '';
          if (isStarted && !STILL_GOING.has(code)) logger.warn({ err: error }, 'an import has failed');
          reject(error instanceof Error ? error : new Error(messageOf(error)));
        },
      );
    });
  }
}
