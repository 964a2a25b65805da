import { tenantPrefix } from '../src/contracts/runs/run-owner';
import type { Tenants } from '../src/tenants/tenants';
import type { BackgroundRun } from '../temporal/runs/background-run';
import type { Chore } from './housekeeping';

export interface RedrawChorePorts {
  readonly tenants: Pick<Tenants, 'list'>;
  /** Whether facts of a tenant may have been drawn by an earlier version of the rules. */
  readonly isDue: (tenant: string) => Promise<boolean>;
  /** Starts a run, unless the one before it is still running. */
  readonly start: (run: BackgroundRun) => Promise<unknown>;
}

/** A start that fails, and a run that was stopped, is repeated after this time. */
const EVERY_MS = 600_000;

/** The chore that starts the drawing anew of the facts of each tenant whose facts are of an earlier version of the rules. */
export function redrawChore({ tenants, isDue, start }: RedrawChorePorts): Chore {
  return {
    name: 'facts of earlier rules',
    everyMs: EVERY_MS,
    async run(signal) {
      for (const tenant of await tenants.list()) {
        signal.throwIfAborted();
        if (!(await isDue(tenant))) continue;
        await start({
          workflowType: 'redrawFacts',
          workflowId: `${tenantPrefix(tenant)}redraw-facts`,
          input: {},
          subject: { area: 'memory' },
          summary: 'draw facts anew by the rules of this build',
        });
      }
      // The runs report what they read.
      return 0;
    },
  };
}
