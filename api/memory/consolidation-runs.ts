import type { ConsolidationReport } from '../../src/contracts/http/consolidations';
import type {
  ConsolidationInput,
  ConsolidationName,
  UndoResult,
} from '../../src/contracts/runs/consolidation';
import type { OpensMemory } from '../../src/memory/create-memory-system';
import { type Pseudonyms, RUN_USER } from '../../src/secrets/pseudonyms';
import { userRunPrefix } from '../../src/contracts/runs/run-owner';
import { memoryErasing } from '../../src/stores/memory/errors';
import type { RunClient } from '../../temporal/runs/run-client';
import type { RequestContext } from '../http/route';
import { MAX_RUN_MS } from '../../requests/run-limits';
import { startRun } from '../../requests/start-runs';

/** What a caller asks of a consolidation. */
export interface RequestedConsolidation {
  readonly dryRun: boolean;
  readonly longSession: number;
  /** ISO 8601; absent: now. */
  readonly before?: string | undefined;
}

/**
 * Starts the runs that consolidate the memories of a user and waits for them. The runs belong to the user, so that an erasure
 * removes them and their reports. All methods throw as `startRun` does, and `MEMORY_ERASING`.
 */
export interface ConsolidationRuns {
  consolidate(
    userId: string,
    request: RequestedConsolidation,
    context: RequestContext,
  ): Promise<ConsolidationReport>;
  /** @throws HoldfastError `CONSOLIDATION_NOT_FOUND`, `CONSOLIDATION_UNDONE`, `CONSOLIDATION_EXPIRED` */
  undo(name: ConsolidationName, context: RequestContext): Promise<UndoResult>;
}

export interface ConsolidationRunsPorts {
  readonly client: RunClient;
  readonly memory: OpensMemory;
  readonly pseudonyms: Pseudonyms;
  readonly isErasing: (userId: string) => Promise<boolean>;
  readonly newId: () => string;
}

export function createConsolidationRuns(ports: ConsolidationRunsPorts): ConsolidationRuns {
  const { client, memory, pseudonyms, isErasing, newId } = ports;

  async function prepare(userId: string) {
    if (await isErasing(userId)) throw memoryErasing();
    return {
      subject: { area: 'memory', user: pseudonyms(RUN_USER, userId) },
      // The run has a day, so that it survives a long outage of a store.
      runTimeoutMs: MAX_RUN_MS,
    } as const;
  }

  return {
    consolidate: (userId, request, context) =>
      startRun<ConsolidationReport>(
        client,
        {
          prefix: userRunPrefix(pseudonyms(RUN_USER, userId), 'consolidate-memories'),
          asked: request,
          async prepare() {
            const { dryRun, longSession, before } = request;
            const input: ConsolidationInput = {
              userId,
              longSession,
              before: before === undefined ? Date.now() : Date.parse(before),
              ...(dryRun ? {} : { consolidationId: newId() }),
            };
            const summary = dryRun ? 'report what a consolidation would do' : 'consolidate memories';
            return { ...(await prepare(userId)), workflowType: 'consolidateMemories', input, summary };
          },
        },
        context,
      ),
    undo: (name, context) =>
      startRun<UndoResult>(
        client,
        {
          prefix: userRunPrefix(pseudonyms(RUN_USER, name.userId), 'undo-consolidation'),
          asked: name.consolidationId,
          async prepare() {
            const prepared = await prepare(name.userId);
            await (await memory.open()).consolidations.checkUndoable(name);
            const summary = `undo the consolidation ${name.consolidationId}`;
            return { ...prepared, workflowType: 'undoConsolidation', input: name, summary };
          },
        },
        context,
      ),
  };
}
