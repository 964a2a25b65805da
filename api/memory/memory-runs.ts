import type {
  ErasureInput,
  ErasureResult,
  ReindexInput,
  ReindexResult,
} from '../../src/contracts/runs/memory';
import type { Erasures } from '../../src/memory/erasures';
import { type Pseudonyms, RUN_USER } from '../../src/secrets/pseudonyms';
import type { RunClient } from '../../temporal/runs/run-client';
import { ERASURE_PREFIX } from '../../src/contracts/runs/run-owner';
import { ERASURE_RUN } from '../../temporal/runs/erasure-run';
import type { RequestContext } from '../http/route';
import { MAX_RUN_MS } from '../../requests/run-limits';
import { buildWorkflowId, type PreparedRun, startRun } from '../../requests/start-runs';

/** Starts the runs over many memories and waits for them. All methods throw as `startRun` does. */
export interface MemoryRuns {
  /** Erases all memories of a user. */
  erase(userId: string, context: RequestContext): Promise<ErasureResult>;
  /**
   * Embeds all memories with the embedding model of the settings; with `again` even if they have its vectors
   * already.
   */
  reindex(again: boolean, context: RequestContext): Promise<ReindexResult>;
}

export const REINDEX_PREFIX = 'reindex-memories';

/** Prepares the run that embeds all memories again, for the API and for `npm run reindex`. */
export function reindexRun(again: boolean) {
  const input: ReindexInput = again ? { again } : {};
  return {
    workflowType: 'reindexMemories',
    input,
    subject: { area: 'memory' },
    summary: `move memories to the configured embedding model${again ? ' again' : ''}`,
    // The run has a day, so that it survives a long outage of a store.
    runTimeoutMs: MAX_RUN_MS,
  } as const satisfies PreparedRun;
}

export interface MemoryRunsPorts {
  readonly client: RunClient;
  readonly erasures: Pick<Erasures, 'begin'>;
  readonly pseudonyms: Pseudonyms;
}

export function createMemoryRuns({ client, erasures, pseudonyms }: MemoryRunsPorts): MemoryRuns {
  return {
    erase(userId, context) {
      const workflowId = buildWorkflowId(ERASURE_PREFIX, context);
      return startRun<ErasureResult>(
        client,
        {
          prefix: ERASURE_PREFIX,
          workflowId,
          // The user is a pseudonym, because the run's memo contains a plain hash of this, by which a name could be
          // guessed.
          asked: { user: pseudonyms(RUN_USER, userId) },
          prepare: async () => {
            const input: ErasureInput = { erasureId: await erasures.begin(userId, workflowId) };
            return { ...ERASURE_RUN, input, subject: { area: 'memory' } };
          },
        },
        context,
      );
    },
    reindex: (again, context) =>
      startRun<ReindexResult>(
        client,
        {
          prefix: REINDEX_PREFIX,
          asked: again ? { again } : {},
          prepare: () => Promise.resolve(reindexRun(again)),
        },
        context,
      ),
  };
}
