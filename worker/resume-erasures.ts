import type { Logger } from '../src/base/logger';
import type { Erasures } from '../src/memory/erasures';
import type { Tenants } from '../src/tenants/tenants';
import type { readRunState } from '../temporal/runs/run-state';
import type { Chore } from './housekeeping';

/** The erasures of all tenants. */
export interface TenantErasures extends Pick<Tenants, 'list'> {
  of(tenant: string): Promise<{ readonly memory: { readonly erasures: Pick<Erasures, 'list' | 'userOf'> } }>;
}

export interface ResumeErasuresPorts {
  readonly tenants: TenantErasures;
  readonly runState: (workflowId: string) => ReturnType<typeof readRunState>;
  /** Resolves with false if an earlier restart is still running. */
  readonly startAgain: (erasure: { readonly tenant: string; readonly erasureId: string }) => Promise<boolean>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly logger: Pick<Logger, 'warn'>;
}

const EVERY_MS = 10_000;
/** Longer than it may take to start a run, ms. */
const START_MS = 10_000;

/**
 * Resumes erasures whose run could not be started, was terminated or gave up, because the user of an erasure cannot
 * write until it ends. Two runs of one erasure do no harm, as each of its steps may be repeated.
 */
export function resumeErasures({ tenants, runState, startAgain, now, logger }: ResumeErasuresPorts): Chore {
  async function resume(tenant: string, signal: AbortSignal): Promise<void> {
    const { erasures } = (await tenants.of(tenant)).memory;
    for (const { erasureId, workflowId, since } of await erasures.list()) {
      if (signal.aborted) break;
      if (now() - since < START_MS || (await runState(workflowId)) === 'running') continue;
      // The erasure may have ended together with its run since the list was read.
      if ((await erasures.userOf(erasureId)) === undefined) continue;
      if (await startAgain({ tenant, erasureId }))
        logger.warn({ workflowId }, 'an erasure had lost its run and was resumed in another one');
    }
  }

  return {
    name: 'users whose erasure has no run',
    everyMs: EVERY_MS,
    async run(signal) {
      for (const tenant of await tenants.list()) await resume(tenant, signal);
      // The runs of the erasures report what they remove.
      return 0;
    },
  };
}
