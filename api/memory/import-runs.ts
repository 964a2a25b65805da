import type { MemoryImportCounts } from '../../src/contracts/http/memory-imports';
import type { ImportReport } from '../../src/contracts/http/imports';
import { userRunPrefix } from '../../src/contracts/runs/run-owner';
import { IMPORT_BEGINS, type MemoryImportInput } from '../../src/contracts/runs/memory-import';
import { type Pseudonyms, RUN_USER } from '../../src/secrets/pseudonyms';
import { memoryErasing } from '../../src/stores/memory/errors';
import type { RequestContext } from '../http/route';
import type { ImportRuns } from '../runs/import-runs';

export type MemoryImportReport = ImportReport<MemoryImportCounts> & { readonly userId: string };

/**
 * Imports of the memories of users. Runs and files belong to the user, so that an erasure removes them. All methods throw as those of
 * `ImportRuns`.
 */
export interface MemoryImportRuns {
  /** @throws HoldfastError also `MEMORY_ERASING` */
  start(
    userId: string,
    body: AsyncIterable<Uint8Array>,
    context: RequestContext,
  ): Promise<MemoryImportReport>;
  /** An import of another user does not exist. */
  report(userId: string, importId: string): Promise<MemoryImportReport>;
}

export interface MemoryImportRunsPorts {
  /** The imports of a user, by pseudonym. */
  readonly importsOf: (user: string) => ImportRuns<MemoryImportCounts>;
  readonly pseudonyms: Pseudonyms;
  readonly isErasing: (userId: string) => Promise<boolean>;
}

export function createMemoryImportRuns(ports: MemoryImportRunsPorts): MemoryImportRuns {
  const { importsOf, pseudonyms, isErasing } = ports;

  async function refuseWhileErasing(userId: string): Promise<void> {
    if (await isErasing(userId)) throw memoryErasing();
  }

  return {
    async start(userId, body, context) {
      // Nothing is received for a user who is being erased.
      await refuseWhileErasing(userId);
      const user = pseudonyms(RUN_USER, userId);
      const report = await importsOf(user).start(
        body,
        {
          prefix: userRunPrefix(user, 'import-memories'),
          asked: {},
          async prepare(started) {
            await refuseWhileErasing(userId);
            return {
              workflowType: 'importMemories',
              input: { ...started, ...IMPORT_BEGINS, userId } satisfies MemoryImportInput,
              subject: { area: 'memory', user },
              summary: 'import memories',
            };
          },
        },
        context,
      );
      return { ...report, userId };
    },
    async report(userId, importId) {
      return { ...(await importsOf(pseudonyms(RUN_USER, userId)).report(importId)), userId };
    },
  };
}
