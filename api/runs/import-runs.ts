import type { ImportCounts, ImportReport } from '../../src/contracts/http/imports';
import { HoldfastError, isHoldfastError, messageOf } from '../../src/base/errors';
import { newId } from '../../src/base/ids';
import type { Logger } from '../../src/base/logger';
import type { ImportFiles } from '../../src/imports/import-files';
import type { Engine } from '../../temporal/engine';
import type { RunClient } from '../../temporal/runs/run-client';
import { readRunEnd, readRunState } from '../../temporal/runs/run-state';
import type { RequestContext } from '../http/route';
import { MAX_RUN_MS } from '../../requests/run-limits';
import { buildWorkflowId, type PreparedRun, startRun } from '../../requests/start-runs';

/** What an import is started with. */
export interface NewImport {
  readonly importId: string;
  /** ISO 8601. */
  readonly startedAt: string;
}

/** An upload that becomes an import. */
export interface RequestedImport {
  /** As in `RequestedRun`. */
  readonly prefix: string;
  /** What was asked besides the rows. */
  readonly asked: Readonly<Record<string, unknown>>;
  /** As in `RequestedRun`, before any row is stored. */
  prepare(started: NewImport): Promise<Omit<PreparedRun, 'runTimeoutMs'>> | Omit<PreparedRun, 'runTimeoutMs'>;
}

/** Starts imports and reads their reports. */
export interface ImportRuns<C extends ImportCounts> {
  /**
   * Stores the rows and starts the run that reads them. A repeat with the same idempotency key finds that run, in any state.
   * @throws HoldfastError `BODY_TOO_LARGE`, `BODY_TOO_SLOW`, `RUN_CONFLICT`, `ENGINE_UNAVAILABLE`; as `prepare` does
   */
  start(
    body: AsyncIterable<Uint8Array>,
    request: RequestedImport,
    context: RequestContext,
  ): Promise<ImportReport<C>>;
  /**
   * Reads the latest report of an import; `cancelled` or `failed` if its run has ended without completing it.
   * @throws HoldfastError `IMPORT_NOT_FOUND`
   */
  report(importId: string): Promise<ImportReport<C>>;
}

export interface ImportRunsPorts<C extends ImportCounts> {
  readonly client: RunClient;
  readonly engine: Pick<Engine, 'current' | 'isReachable'>;
  readonly files: ImportFiles<C>;
  readonly logger: Logger;
}

/** Codes of errors that end the wait for a run, while the run continues. */
const STILL_GOING = new Set(['RUN_STILL_GOING', 'REQUEST_ABANDONED']);

export function createImportRuns<C extends ImportCounts>(ports: ImportRunsPorts<C>): ImportRuns<C> {
  const { client, engine, files, logger } = ports;

  async function readReport(importId: string): Promise<ImportReport<C>> {
    const first = await files.report(importId);
    if (first === undefined) throw new HoldfastError('IMPORT_NOT_FOUND', `There is no import "${importId}"`);
    return first;
  }

  async function report(importId: string): Promise<ImportReport<C>> {
    const first = await readReport(importId);
    const end = first.state === 'running' ? await endOf(importId) : undefined;
    if (end === undefined) return first;
    // The import may have completed between the first report and the state of its run, so the report is read again.
    const last = await readReport(importId);
    return last.state === 'running' ? { ...last, state: end } : last;
  }

  /** How the run has ended; undefined if it is open, and if that is unknown, so that the stored report stands. */
  async function endOf(importId: string): Promise<'cancelled' | 'failed' | undefined> {
    const run = await files.readRun(importId);
    if (run === undefined || !engine.isReachable()) return undefined;
    if (run.namespaceId !== engine.current().namespaceId) return undefined;
    return readRunEnd(engine, run.workflowId).catch(() => undefined);
  }

  /**
   * Deletes the rows of an import whose run was not started; keeps them if Temporal may have started it unconfirmed.
   */
  async function forgetRefusedImport(importId: string, workflowId: string, error: unknown): Promise<void> {
    if (isHoldfastError(error) && error.code === 'ENGINE_UNAVAILABLE') return;
    const state = await readRunState(engine, workflowId).catch(() => undefined);
    if (state === 'unknown') await files.forget(importId);
  }

  return {
    report,
    async start(body, { prefix, asked, prepare }, context) {
      const upload = await files.receive(body);
      const { idempotencyKey: key } = context;
      // The id contains the digest, so that another upload with the same key, which is rejected, does not overwrite
      // these rows.
      const importId = key === undefined ? newId() : `${key}-${upload.digest.slice(0, 16)}`;
      const workflowId = buildWorkflowId(prefix, context);
      const progress = { isKept: false };
      try {
        await untilStarted(context, (noteRun) =>
          startRun<C>(
            client,
            {
              prefix,
              workflowId,
              asked: { digest: upload.digest, ...asked },
              prepare: async () => {
                const startedAt = new Date().toISOString();
                // This throws if Temporal is not connected, before any row is stored.
                const { namespaceId } = engine.current();
                const prepared = await prepare({ importId, startedAt });
                progress.isKept = true;
                await files.keep(importId, upload, { startedAt, run: { namespaceId, workflowId } });
                // The run has a day, so that it survives a long outage of a store.
                return { ...prepared, runTimeoutMs: MAX_RUN_MS };
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
