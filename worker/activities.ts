import { Context } from '@temporalio/activity';
import { createAgentActivities } from '../activities/agent';
import { createConsolidationActivities } from '../activities/consolidation';
import { createConversationActivities } from '../activities/conversation';
import { createExternalActivities } from '../activities/external';
import { createFactActivities } from '../activities/facts';
import { createIntentActivities } from '../activities/intents';
import { createMemoryActivities } from '../activities/memory';
import { createMemoryImportActivities } from '../activities/memory-imports';
import { createModelActivities } from '../activities/models';
import { createScheduleActivities } from '../activities/schedules';
import { createToolActivities } from '../activities/tools';
import { createWebhookActivities, type WebhookActivitiesPorts } from '../activities/webhooks';
import { createAgentCalls } from '../requests/prepare-agent-call';
import { createScheduledWork, type PrepareScheduledPorts } from '../requests/prepare-scheduled';
import type { KeyStore } from '../src/access/key-store';
import { onceForEach } from '../src/base/async/once-for-each';
import { HoldfastError } from '../src/base/errors';
import type { Metrics } from '../src/base/metrics';
import { newId } from '../src/base/ids';
import type { Fact } from '../src/contracts/facts';
import { tenantOfRun } from '../src/contracts/runs/run-owner';
import { createAnswerer } from '../src/conversation/answerer';
import { forgetPlaces } from '../src/conversation/forget-places';
import { sharedLimits } from '../src/llm/shared-limits';
import type { StandIns } from '../src/llm/stand-ins';
import { forgetUsage } from '../src/usage/usage-store';
import { createSpendingLedger, forgetSpending } from '../src/llm/spending-ledger';
import type { MemorySystem } from '../src/memory/create-memory-system';
import { createMemoryImportFiles } from '../src/imports/create-import-files';
import { filesOf } from '../src/files/file-keys';
import { importsOf } from '../src/imports/import-keys';
import type { Rules } from '../src/rules/rules';
import { queuesOf } from '../src/settings/external-queues';
import { createRedactor } from '../src/secrets/redactor';
import { RUN_USER } from '../src/secrets/pseudonyms';
import type { BlobStore } from '../src/stores/blobs/blob-store';
import type { TenantServices } from '../src/tenants/tenants';
import type { ArgumentChecks } from '../src/tools/argument-check';
import type { ToolRunner } from '../src/tools/runner';
import type { RemoteTools } from '../src/tools/tool';
import { readRunState } from '../temporal/runs/run-state';
import { serverClock } from '../temporal/server-clock';
import { countPollers } from '../temporal/task-queues';
import { deleteUserRuns } from '../temporal/runs/user-runs';
import type { Activities, AddedActivities } from './queue-activities';

/** What the activities of all tenants share. */
export interface SharedActivityPorts extends PrepareScheduledPorts {
  readonly standIns: StandIns;
  /** Absent if English is read by a language model alone. */
  readonly rules: Rules | undefined;
  readonly createRunner: (remote: RemoteTools, checks: ArgumentChecks) => ToolRunner;
  readonly memory: Pick<MemorySystem, 'openStores'>;
  /** As in `WorkerPorts`. */
  readonly addedActivities: (tenant: string) => AddedActivities;
  readonly blobs: BlobStore;
  readonly webhooks: WebhookActivitiesPorts;
  readonly keys: Pick<KeyStore, 'revokeOfUser' | 'stampOf'>;
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
  const { erasures } = memory;
  const { now } = serverClock;
  const ledger = createSpendingLedger({ documents, newId, now });
  const facts = async (userId: string): Promise<readonly Fact[]> => (await memory.open()).facts.list(userId);
  const scheduled = createScheduledWork(shared, services);
  return {
    ...createToolActivities({ runner: shared.createRunner(mcp.tools, argumentChecks), statistics, now }),
    ...createExternalActivities({
      isAllowed: (taskQueue) => queuesOf(config.EXTERNAL_QUEUES, tenant).includes(taskQueue),
      check: argumentChecks.of({ tenant }),
      redactor: createRedactor(config.REDACT_FIELDS),
      countPollers: (question) => countPollers(engine, question),
      maxResultBytes: config.MAX_RESULT_BYTES,
    }),
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
      openStores: shared.memory.openStores,
      redrawFacts: async (signal) => (await (await memory.open()).redraw?.step(signal)) ?? NO_FACTS_REDRAWN,
      async eraseUserRuns(userId, signal) {
        const owner = { tenant, user: pseudonyms(RUN_USER, userId) };
        // The keys go first, so that they start no further runs.
        await shared.keys.revokeOfUser(tenant, userId);
        await scheduled.removeOfUser(owner.user);
        const erased = await deleteUserRuns({ engine, blobs }, owner, signal);
        if (!erased.done) return erased;
        // One may have been made meanwhile.
        await scheduled.removeOfUser(owner.user);
        // The runs that read the files of imports have ended.
        await blobs.removeFolder(importsOf(owner));
        await blobs.removeFolder(filesOf(owner));
        await forgetPlaces({ documents, now }, owner, signal);
        await forgetSpending(documents, owner.user, signal);
        await forgetUsage(documents, owner.user, now(), signal);
        return erased;
      },
    }),
    ...createScheduleActivities(scheduled),
    ...createConsolidationActivities({ memory, pass: memory.consolidationPass }),
    ...createConversationActivities({
      recall: {
        recall: async (query, signal) => (await memory.open()).recall.recall(query, signal),
      },
      messages: {
        store: async (messages, signal) => (await memory.open()).messages.store(messages, signal),
      },
      answerer: createAnswerer({
        provider: (name) => models.get(name),
        rules: rules && { conversation: rules.conversation, provider: models.get('builtin') },
        ledger,
        schemas,
        standIns: shared.standIns,
        facts,
        hasModel: models.list().some((name) => name !== 'builtin'),
      }),
      runState: (workflowId, placedAt) => readRunState(engine, workflowId, placedAt),
      now,
    }),
    ...createFactActivities({
      facts: {
        drawNext: async (owner, ask, signal) => (await memory.open()).modelFacts.drawNext(owner, ask, signal),
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
      prepareCall: createAgentCalls(shared, services),
    }),
    ...createMemoryImportActivities({
      filesOf: (userId) =>
        createMemoryImportFiles(blobs, config, { tenant, user: pseudonyms(RUN_USER, userId) }),
      memory,
    }),
    ...createWebhookActivities(shared.webhooks),
    ...shared.addedActivities(tenant),
  };
}

/**
 * The activities of all tenants. Each call goes to those of the tenant whose run calls it, as its workflow id says: the one place
 * that chooses services by tenant in a worker. The activities of a tenant are created at its first call.
 * @param names the names of the activities, which are the same for all tenants
 */
export function activitiesByRun(
  names: readonly (keyof Activities)[],
  create: (tenant: string) => Promise<Activities>,
): Activities {
  const activitiesOf = onceForEach(create);
  const byRun = (name: keyof Activities) =>
    async function (...args: unknown[]): Promise<unknown> {
      const { workflowExecution } = Context.current().info;
      if (workflowExecution === undefined)
        throw new HoldfastError('INTERNAL', 'Activities run only inside a workflow');
      const activities = await activitiesOf(tenantOfRun(workflowExecution.workflowId));
      return (activities[name] as (...args: unknown[]) => unknown)(...args);
    };
  return Object.fromEntries(names.map((name) => [name, byRun(name)])) as unknown as Activities;
}
