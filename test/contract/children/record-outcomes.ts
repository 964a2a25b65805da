import type { ToolCallOutcome } from '../../../src/contracts/http/tools';
import { createDocumentStore, type DocumentStoreSettings } from '../../../src/factories/create-stores';
import { createToolStatistics } from '../../../src/tools/statistics';
import { childMain } from '../support/child-main';

interface RecordArgument {
  readonly settings: DocumentStoreSettings;
  readonly process: number;
  /** The number of calls that every process records, and of further calls that only this process records. */
  readonly calls: number;
  readonly concurrency: number;
  /** Whether to print the key of each of its own calls once it is recorded. */
  readonly print?: boolean;
}

/** Records calls while other processes record theirs; some of the calls are the same. */
childMain(async (argument, gate) => {
  const { settings, process, calls, concurrency, print = false } = argument as RecordArgument;
  const documents = createDocumentStore(settings);
  const statistics = createToolStatistics({ documents, retentionMs: 60_000 });
  await documents.ping();
  await gate();
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < calls * 2) {
      const call = next;
      next += 1;
      const shared = call % 2 === 0;
      const outcome: ToolCallOutcome = {
        runId: shared ? 'shared' : `process-${process}`,
        step: String(call),
        toolName: shared ? 'shared' : `tool-${process}`,
        success: call % 4 < 2,
        executionTime: 2,
        finishedAt: '2026-01-01T00:00:00.000Z',
      };
      await statistics.record(outcome);
      if (print && !shared) console.log(`${outcome.runId}/${outcome.step}`);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  await documents.close();
});
