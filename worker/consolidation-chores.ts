import { tenantPrefix } from '../src/contracts/runs/run-owner';
import type { Config } from '../src/settings/config';
import type { Tenants } from '../src/tenants/tenants';
import type { BackgroundRun } from '../temporal/runs/background-run';
import type { Chore } from './housekeeping';

export interface ConsolidationChoresPorts {
  readonly config: Pick<Config, 'MEMORY_CONSOLIDATION'>;
  readonly tenants: Pick<Tenants, 'list'>;
  /** Starts a run, unless the one before it is still running. */
  readonly start: (run: BackgroundRun) => Promise<unknown>;
}

const DAY_MS = 86_400_000;
const DUE_MS = { daily: DAY_MS, weekly: 7 * DAY_MS } as const;
/** A start that fails, because Temporal is away for a moment, is repeated after this time. */
const EVERY_MS = 600_000;

/** The chore that starts the consolidation of all users' memories; none if the settings switch it off. */
export function consolidationChores({ config, tenants, start }: ConsolidationChoresPorts): Chore[] {
  const { MEMORY_CONSOLIDATION: often } = config;
  if (often === 'off') return [];
  return [
    {
      name: 'repeated memories',
      everyMs: EVERY_MS,
      dueMs: DUE_MS[often],
      async run(signal) {
        for (const tenant of await tenants.list()) {
          signal.throwIfAborted();
          await start({
            workflowType: 'consolidateAllUsers',
            workflowId: `${tenantPrefix(tenant)}consolidate-all-users`,
            input: {},
            subject: { area: 'memory' },
            summary: 'consolidate the memories of all users',
          });
        }
        // The runs report what they archive.
        return 0;
      },
    },
  ];
}
