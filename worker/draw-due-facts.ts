import type { DrawFactsInput } from '../src/contracts/runs/facts';
import { completePrefix } from '../src/contracts/runs/run-owner';
import type { ModelFacts } from '../src/memory/facts/model/model-facts';
import { RUN_USER, type Pseudonyms } from '../src/secrets/pseudonyms';
import type { Tenants } from '../src/tenants/tenants';
import type { BackgroundRun } from '../temporal/runs/background-run';
import type { readRunState } from '../temporal/runs/run-state';
import type { Chore } from './housekeeping';

/** The due memories of a tenant. */
export interface TenantFacts {
  readonly pseudonyms: Pseudonyms;
  readonly owners: ModelFacts['owners'];
}

export interface DrawDueFactsPorts {
  readonly tenants: Pick<Tenants, 'list'>;
  readonly factsOf: (tenant: string) => Promise<TenantFacts>;
  /** What runs have in common. */
  readonly input: Omit<DrawFactsInput, 'owner'>;
  /** Starts a run unless one of its workflow id is open. */
  readonly start: (run: BackgroundRun) => Promise<unknown>;
  readonly runState: (workflowId: string) => ReturnType<typeof readRunState>;
}

const EVERY_MS = 5_000;
/** Runs of a tenant at once that a worker has started, so that they leave most of the model's workers to turns. */
const MAX_RUNS = 10;
/** Milliseconds. What is due after it is drawn by the next run. */
const RUN_TIMEOUT_MS = 3_600_000;

/** What this worker knows of a tenant's runs. */
interface Round {
  /** The workflow ids of the runs that were open when they were last looked at. */
  readonly open: readonly string[];
  /** Where the list of users continues, so that those with many memories leave room for the others; absent: at its beginning. */
  readonly after?: string | undefined;
}

/** Starts a run for each user with memories that a model has still to read, one user after another. */
export function drawDueFacts({ tenants, factsOf, input, start, runState }: DrawDueFactsPorts): Chore {
  const rounds = new Map<string, Round>();

  async function startRuns(tenant: string, { open, after }: Round, signal: AbortSignal): Promise<Round> {
    const running = new Set<string>();
    for (const id of open) if ((await runState(id)) === 'running') running.add(id);
    const limit = MAX_RUNS - running.size;
    if (limit === 0) return { open: [...running], after };
    const { pseudonyms, owners } = await factsOf(tenant);
    const { users, next } = await owners(limit, after);
    for (const { owner, userId } of users) {
      if (signal.aborted) break;
      const user = pseudonyms(RUN_USER, userId);
      // The erasure of a user finds the run by this id.
      const workflowId = completePrefix({ tenant, user }, 'draw-facts');
      await start({
        workflowId,
        workflowType: 'drawFacts',
        input: { ...input, owner } satisfies DrawFactsInput,
        subject: { area: 'memory', user },
        summary: 'draw facts from memories by a model',
        runTimeoutMs: RUN_TIMEOUT_MS,
      });
      running.add(workflowId);
    }
    return { open: [...running], after: next };
  }

  return {
    name: 'memories whose facts a model has to draw',
    everyMs: EVERY_MS,
    async run(signal) {
      for (const tenant of await tenants.list())
        rounds.set(tenant, await startRuns(tenant, rounds.get(tenant) ?? { open: [] }, signal));
      // The runs report what they draw.
      return 0;
    },
  };
}
