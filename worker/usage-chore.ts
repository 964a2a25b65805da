import { messageOf } from '../src/base/errors';
import type { PriceTable } from '../src/llm/prices';
import type { Tenants } from '../src/tenants/tenants';
import { createUsageStore } from '../src/usage/usage-store';
import { WORKFLOW_TYPES } from '../requests/workflow-types';
import type { Engine } from '../temporal/engine';
import { serverClock } from '../temporal/server-clock';
import { countEndedRuns } from '../temporal/usage/count-ended-runs';
import type { Chore } from './housekeeping';

export interface UsageChorePorts {
  readonly engine: Engine;
  readonly tenants: Tenants;
  readonly prices: PriceTable;
  readonly taskQueue: string;
}

const EVERY_MS = 60_000;

/** The chore that counts what ended runs used. Each tenant's are counted in its own documents. */
export function usageChore({ engine, tenants, prices, taskQueue }: UsageChorePorts): Chore {
  const { now } = serverClock;
  return {
    name: 'uncounted runs',
    everyMs: EVERY_MS,
    async run(signal) {
      let failure: Error | undefined;
      for (const tenant of await tenants.list()) {
        signal.throwIfAborted();
        const usage = createUsageStore((await tenants.of(tenant)).documents, now);
        const scope = { taskQueue, workflowTypes: WORKFLOW_TYPES, tenant };
        // A run of one tenant that cannot be read does not stop the count of the others.
        await countEndedRuns({ engine, usage, prices, scope, now }, signal).catch((error: unknown) => {
          failure ??= new Error(messageOf(error), { cause: error });
        });
      }
      if (failure !== undefined) throw failure;
      // It removes nothing that a log line should tell.
      return 0;
    },
  };
}
