import type { DrawFactsInput } from '../src/contracts/runs/facts';
import { completePrefix } from '../src/contracts/runs/run-owner';
import type { ModelFacts } from '../src/memory/facts/model/model-facts';
import { RUN_USER, type Pseudonyms } from '../src/secrets/pseudonyms';
import type { Tenants } from '../src/tenants/tenants';
import type { BackgroundRun } from '../temporal/background-run';
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
  readonly start: (run: BackgroundRun) => Promise<void>;
}

const EVERY_MS = 5_000;
/** Runs of a tenant at once, so that they leave most of the model's workers to turns. */
const MAX_RUNS = 10;
/** Milliseconds. What is due after it is drawn by the next run. */
const RUN_TIMEOUT_MS = 3_600_000;

/** Starts a run for each user with memories that a model has still to read. */
export function drawDueFacts({ tenants, factsOf, input, start }: DrawDueFactsPorts): Chore {
  return {
    name: 'memories whose facts a model has to draw',
    everyMs: EVERY_MS,
    async run(signal) {
      for (const tenant of await tenants.list()) {
        const { pseudonyms, owners } = await factsOf(tenant);
        for (const { owner, userId } of await owners(MAX_RUNS)) {
          if (signal.aborted) break;
          const user = pseudonyms(RUN_USER, userId);
          await start({
            // The erasure of a user finds the run by this id.
            workflowId: completePrefix({ tenant, user }, 'draw-facts'),
            workflowType: 'drawFacts',
            input: { ...input, owner } satisfies DrawFactsInput,
            subject: { area: 'memory', user },
            summary: 'draw facts from memories by a model',
            runTimeoutMs: RUN_TIMEOUT_MS,
          });
        }
      }
      // The runs report what they draw.
      return 0;
    },
  };
}
