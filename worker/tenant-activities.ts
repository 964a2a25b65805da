import { Context } from '@temporalio/activity';
import { createAgentActivities } from '../activities/agent';
import { createConsolidationActivities } from '../activities/consolidation';
import { createConversationActivities } from '../activities/conversation';
import { createFactActivities } from '../activities/facts';
import { createIntentActivities } from '../activities/intents';
import { createMemoryActivities } from '../activities/memory';
import { createMemoryImportActivities } from '../activities/memory-imports';
import { createModelActivities } from '../activities/models';
import { createRecordActivities } from '../activities/records';
import { createToolActivities } from '../activities/tools';
import type { KeyStore } from '../src/access/key-store';
import { onceForEach } from '../src/base/async/once-for-each';
import { HoldfastError } from '../src/base/errors';
import type { Metrics } from '../src/base/metrics';
import { newId } from '../src/base/ids';
import type { Fact } from '../src/contracts/facts';
import { tenantOfRun } from '../src/contracts/runs/run-owner';
import { DEFAULT_TENANT } from '../src/contracts/tenants';
import { createAnswerer } from '../src/conversation/answerer';
import { forgetPlaces } from '../src/conversation/forget-places';
import { forgetSpending } from '../src/llm/forget-spending';
import type { ModelProviders } from '../src/llm/model-providers';
import { sharedLimits } from '../src/llm/shared-limits';
import type { StandIns } from '../src/llm/stand-ins';
import { createSpendingLedger } from '../src/llm/spending-ledger';
import type { MemorySystem } from '../src/memory/create-memory-system';
import { createMemoryImportFiles, createRecordImportFiles } from '../src/imports/create-import-files';
import { importsOf } from '../src/imports/import-keys';
import type { Rules } from '../src/rules/rules';
import { RUN_USER } from '../src/secrets/pseudonyms';
import type { Config } from '../src/settings/config';
import type { BlobStore } from '../src/stores/blobs/blob-store';
import type { RecordStores } from '../src/stores/records/record-stores';
import type { TenantServices } from '../src/tenants/tenants';
import type { ArgumentChecks } from '../src/tools/argument-check';
import type { ToolRunner } from '../src/tools/runner';
import type { RemoteTools } from '../src/tools/tool';
import type { Engine } from '../temporal/engine';
import { readRunState } from '../temporal/runs/run-state';
import { serverClock } from '../temporal/server-clock';
import { deleteUserRuns } from '../temporal/runs/user-runs';
import type { Activities } from './queue-activities';

/** What the activities of all tenants share. */
export interface SharedActivityPorts {
  readonly config: Config;
  readonly engine: Engine;
  readonly models: ModelProviders;
  readonly standIns: StandIns;
  /** Absent if English is read by a language model alone. */
  readonly rules: Rules | undefined;
  readonly createRunner: (remote: RemoteTools, checks: ArgumentChecks) => ToolRunner;
  readonly memory: Pick<MemorySystem, 'reindex'>;
  readonly recordStores: RecordStores;
  readonly blobs: BlobStore;
  readonly keys: Pick<KeyStore, 'revokeOfUser'>;
  readonly metrics: Metrics;
}

/** There are no rules that draw facts. */
const NO_FACTS_REDRAWN = { users: 0, memories: 0, failed: 0, done: true };

/** Creates the activities of a tenant. They have the services of that tenant and of no other one. */
export function createActivities(shared: SharedActivityPorts, services: TenantServices): Activities {
  const { config, engine, models, rules, blobs } = shared;
  const { tenant, documents, pseudonyms, registry, argumentChecks, statistics, intents, memory, mcp } =
    services;
  const { answerSchemas: schemas } = services;
  const { stores, erasures } = memory;
  const { now } = serverClock;
  const ledger = createSpendingLedger({ documents, newId, now });
  const facts = (userId: string): Promise<readonly Fact[]> =>
    stores.use(({ service }) => service.facts.list(userId));
  return {
    ...createToolActivities({ runner: shared.createRunner(mcp.tools, argumentChecks), statistics, now }),
    ...createModelActivities({
      provider: (name) => models.get(name),
      registry,
      checks: argumentChecks,
      ledger,
      maxPlanTokens: config.PLANNER_MAX_TOKENS,
      schemas,
      now,
    }),
    ...createIntentActivities(intents),
    ...createMemoryActivities({
      erasures,
      reindex: shared.memory.reindex,
      redrawFacts: (signal) =>
        stores.use(async ({ redraw }) => (await redraw?.step(signal)) ?? NO_FACTS_REDRAWN),
      async eraseUserRuns(userId, signal) {
        const owner = { tenant, user: pseudonyms(RUN_USER, userId) };
        // The keys go first, so that they start no further runs.
        await shared.keys.revokeOfUser(tenant, userId);
        const erased = await deleteUserRuns({ engine, blobs }, owner, signal);
        if (!erased.done) return erased;
        // The runs that read these files have ended.
        await blobs.removeFolder(importsOf(owner));
        await forgetPlaces({ documents, now }, owner, signal);
        await forgetSpending(documents, owner.user, signal);
        return erased;
      },
    }),
    ...createConsolidationActivities({ stores, pass: memory.consolidationPass }),
    ...createConversationActivities({
      recall: {
        recall: (query, signal) => stores.use(({ service }) => service.recall.recall(query, signal)),
      },
      messages: {
        store: (messages, signal) => stores.use(({ service }) => service.messages.store(messages, signal)),
      },
      answerer: createAnswerer({
        provider: (name) => models.get(name),
        rules: rules && { conversation: rules.conversation, provider: models.get('builtin') },
        ledger,
        standIns: shared.standIns,
        facts,
        hasModel: models.list().some((name) => name !== 'builtin'),
      }),
      runState: (workflowId, placedAt) => readRunState(engine, workflowId, placedAt),
      now,
    }),
    ...createFactActivities({
      facts: {
        drawNext: (owner, ask, signal) =>
          stores.use(({ service }) => service.modelFacts.drawNext(owner, ask, signal)),
      },
      provider: (name) => models.get(name),
      ledger,
      sharedLimits: (session) => sharedLimits(config, pseudonyms, session),
      metrics: shared.metrics,
    }),
    ...createAgentActivities({
      classification: intents.classificationForTurns,
      statistics: intents.statistics,
      facts,
      provider: (name) => models.get(name),
      tools: () => registry.list(),
    }),
    ...createMemoryImportActivities({
      filesOf: (userId) =>
        createMemoryImportFiles(blobs, config, { tenant, user: pseudonyms(RUN_USER, userId) }),
      stores,
    }),
    ...createRecordActivities({
      files: createRecordImportFiles(blobs, config, tenant),
      store: shared.recordStores.of(tenant),
    }),
  };
}

/**
 * Makes each activity that of the tenant whose run calls it, as the workflow id says. A tenant's activities are created at the
 * first call.
 * @param own those of the default tenant
 */
export function dispatchByTenant(
  own: Activities,
  createFor: (tenant: string) => Promise<Activities>,
): Activities {
  const activitiesOf = onceForEach(createFor);
  const dispatch = (name: keyof Activities) =>
    async function (...args: unknown[]): Promise<unknown> {
      const { workflowExecution } = Context.current().info;
      if (workflowExecution === undefined)
        throw new HoldfastError('INTERNAL', 'Activities run only inside a workflow');
      const tenant = tenantOfRun(workflowExecution.workflowId);
      const activities = tenant === DEFAULT_TENANT ? own : await activitiesOf(tenant);
      return (activities[name] as (...args: unknown[]) => unknown)(...args);
    };
  const names = Object.keys(own) as (keyof Activities)[];
  return Object.fromEntries(names.map((name) => [name, dispatch(name)])) as unknown as Activities;
}
