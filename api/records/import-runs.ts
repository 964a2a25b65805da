import type { RecordCollection } from '../../src/contracts/http/records/common';
import {
  type ImportCounts,
  type ImportInput,
  type ImportReport,
  NOTHING_IMPORTED,
} from '../../src/contracts/http/records/imports';
import { HoldfastError, isHoldfastError, messageOf } from '../../src/base/errors';
import { newId } from '../../src/base/ids';
import type { Logger } from '../../src/base/logger';
import type { ImportFiles } from '../../src/records/import/import-files';
import type { Engine } from '../../temporal/engine';
import type { RunClient } from '../../temporal/runs/run-client';
import { readRunState } from '../../temporal/runs/run-state';
import type { RequestContext } from '../http/route';
import { MAX_RUN_MS } from '../runs/run-limits';
import { startRun, buildWorkflowId } from '../runs/start-runs';

/** Starts imports of records and reads their reports. */
export interface ImportRuns {
  /**
   * Stores the rows and starts the run that creates their records. A repeat with the same idempotency key finds that
   * run, in any state.
   * @throws HoldfastError `BODY_TOO_LARGE`, `BODY_TOO_SLOW`, `RUN_CONFLICT`, `ENGINE_UNAVAILABLE`
   */
  start(
    body: AsyncIterable<Uint8Array>,
    collection: RecordCollection | undefined,
    context: RequestContext,
  ): Promise<ImportReport>;
  /**
   * Reads the latest report of an import; `failed` where its run has ended without completing it.
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

/** Codes of errors that end the wait for a run, while the run continues. */
const STILL_GOING = new Set(['RUN_STILL_GOING', 'REQUEST_ABANDONED']);

export function createImportRuns({ client, engine, files, logger }: ImportRunsPorts): ImportRuns {
  async function readReport(importId: string): Promise<ImportReport> {
    const found = await files.report(importId);
    if (found === undefined) throw new HoldfastError('IMPORT_NOT_FOUND', `There is no import "${importId}"`);
    return found;
  }

  async function report(importId: string): Promise<ImportReport> {
    const found = await readReport(importId);
    if (found.state !== 'running' || !(await hasEnded(importId))) return found;
    // The import may have completed between the first report and the state of its run, so the report is read again.
    const last = await readReport(importId);
    return last.state === 'running' ? { ...last, state: 'failed' } : last;
  }

  /** Whether the run has ended; false where that is unknown, so that the stored report stands. */
  async function hasEnded(importId: string): Promise<boolean> {
    const run = await files.readRun(importId);
    if (run === undefined || !engine.isReachable()) return false;
    if (run.namespaceId !== engine.current().namespaceId) return false;
    return readRunState(engine, run.workflowId).then(
      (state) => state !== 'running',
      () => false,
    );
  }

  /**
   * Deletes the rows of an import whose run was not started; keeps them where Temporal may have started it unconfirmed.
   */
  async function forgetRefusedImport(importId: string, workflowId: string, error: unknown): Promise<void> {
    if (isHoldfastError(error) && error.code === 'ENGINE_UNAVAILABLE') return;
    const state = await readRunState(engine, workflowId).catch(() => undefined);
    if (state === 'unknown') await files.forget(importId);
  }

  return {
    report,
    async start(body, collection, context) {
      const upload = await files.receive(body);
      const { idempotencyKey: key } = context;
      // The id contains the digest, so that another upload with the same key, which is rejected, does not overwrite
      // these rows.
      const importId = key === undefined ? newId() : `${key}-${upload.digest.slice(0, 16)}`;
      const workflowId = buildWorkflowId(PREFIX, context);
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
                // This throws where Temporal is not connected, before any row is stored.
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
                  // The run has a day, so that it survives a long outage of a store.
                  runTimeoutMs: MAX_RUN_MS,
                };
              },
            },
            { ...context, noteRun },
          ),
        );
      } catch (error) {
        if (progress.isKept) await forgetRefusedImport(importId, workflowId, error);
        throw error;
      } finally {
        await files.discard(upload);
      }
      return report(importId);
    },
  };

  /** Resolves when the run is started, and does not wait for its end, which the report shows. */
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
