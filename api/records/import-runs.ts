import type { Readable } from 'node:stream';
import type { RecordCollection } from '../../src/contracts/records/common';
import type { ImportCounts, ImportInput, ImportReport } from '../../src/contracts/records/imports';
import { NOTHING_IMPORTED } from '../../src/contracts/records/imports';
import { HoldfastError, isHoldfastError, messageOf } from '../../src/errors';
import { newId } from '../../src/ids';
import type { Logger } from '../../src/logger';
import type { ImportFiles } from '../../src/records/import/import-files';
import type { RunClient } from '../../temporal/run-client';
import type { RequestContext } from '../http/route';
import { startRun } from '../runs/start-runs';

/** Imports of records. */
export interface ImportRuns {
  /**
   * Takes the rows in and starts the run that creates their records; a repeat with the same idempotency key finds that
   * run, whatever has become of it.
   * @throws HoldfastError `BODY_TOO_LARGE`, `RUN_CONFLICT`, `ENGINE_UNAVAILABLE`
   */
  start(
    body: Readable,
    collection: RecordCollection | undefined,
    context: RequestContext,
  ): Promise<ImportReport>;
  /** @throws HoldfastError `IMPORT_NOT_FOUND` */
  report(importId: string): Promise<ImportReport>;
}

/** A run that a store which is away holds up is not given up for a day, milliseconds. */
const RUN_LIMIT_MS = 86_400_000;
/** What ends the waiting for a run and not the run. */
const STILL_GOING = new Set(['RUN_STILL_GOING', 'REQUEST_ABANDONED']);

export function createImportRuns(client: RunClient, files: ImportFiles, logger: Logger): ImportRuns {
  async function report(importId: string): Promise<ImportReport> {
    const found = await files.report(importId);
    if (found === undefined) throw new HoldfastError('IMPORT_NOT_FOUND', `There is no import "${importId}"`);
    return found;
  }

  return {
    report,
    async start(body, collection, context) {
      const upload = await files.receive(body);
      const { idempotencyKey: key } = context;
      // With the digest, so that another upload under the key, which is refused, does not come upon these rows.
      const importId = key === undefined ? newId() : `${key}-${upload.digest.slice(0, 16)}`;
      try {
        await untilStarted(context, (noteRun) =>
          startRun<ImportCounts>(
            client,
            {
              prefix: 'import-records',
              asked: { digest: upload.digest, collection: collection ?? null },
              prepare: async () => {
                const startedAt = new Date().toISOString();
                await files.keep(importId, upload, startedAt);
                const input: ImportInput = {
                  importId,
                  startedAt,
                  offset: 0,
                  counts: NOTHING_IMPORTED,
                  ...(collection === undefined ? {} : { collection }),
                };
                return {
                  workflowType: 'importRecords',
                  input,
                  subject: { area: 'records' },
                  summary: `import ${collection ?? 'records'}`,
                  runTimeoutMs: RUN_LIMIT_MS,
                };
              },
            },
            { ...context, noteRun },
          ),
        );
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
