import type { KeyStore } from '../src/access/key-store';
import { HoldfastError, isHoldfastError, messageOf, validationError } from '../src/base/errors';
import type { Logger } from '../src/base/logger';
import type { Scope } from '../src/contracts/http/access';
import type { ScheduledStart } from '../src/contracts/runs/scheduled';
import type { PriceTable } from '../src/llm/prices';
import type { StoreConfiguration } from '../src/memory/stores/configuration';
import { createScheduleStore, type ScheduleMaker } from '../src/schedules/schedule-store';
import { openRequest } from '../src/schedules/sealed-request';
import type { SecretBox } from '../src/secrets/secret-box';
import type { TenantServices } from '../src/tenants/tenants';
import { createEngineSchedules } from '../temporal/schedules/engine-schedules';
import { createBudgetPolicies } from './budget-policies';
import { CAPTURING, captureRun } from './captured-run';
import { createDirectRuns, createTenantCatalogue, type DirectRunsPorts } from './direct-runs';
import type { ScheduledActions } from './scheduled-actions';
import { startingWithoutRequest } from './starting';
import { toPreparedChild } from './prepared-child';
import { chooseWebhook } from './webhooks';

export interface PrepareScheduledPorts extends Omit<DirectRunsPorts, 'client'> {
  readonly logger: Logger;
  readonly prices: PriceTable;
  readonly secrets: SecretBox;
  readonly keys: Pick<KeyStore, 'stampOf'>;
  readonly configuration: Pick<StoreConfiguration, 'requireInitialized'>;
  readonly actions: ScheduledActions;
}

/** Without these a schedule cannot go on: each of its runs would fail in the same way. */
const PAUSING: ReadonlySet<string> = new Set([
  'AGENT_NOT_FOUND',
  'FILE_NOT_FOUND',
  'WORKFLOW_NOT_FOUND',
  'WORKFLOW_INVALID',
  'TOOL_NOT_FOUND',
]);
const NEEDED: Scope = 'run';

/** What a worker does for the schedules of a tenant. */
export interface ScheduledWork {
  /** Prepares a run as its endpoint would start it now, for the caller that made the schedule. @throws as the activity */
  prepare(scheduleId: string, signal: AbortSignal): Promise<ScheduledStart>;
  /** Removes the schedules that start runs of a user. @param user the pseudonym @throws HoldfastError `STORE_UNAVAILABLE`, `ENGINE_UNAVAILABLE` */
  removeOfUser(user: string): Promise<void>;
}

export function createScheduledWork(ports: PrepareScheduledPorts, services: TenantServices): ScheduledWork {
  const { config, engine, configuration, keys, logger, prices, secrets, actions } = ports;
  const { tenant, pseudonyms, documents } = services;
  const schedules = createScheduleStore(documents, config.MAX_SCHEDULES);
  const engineSchedules = createEngineSchedules(engine, config.TASK_QUEUE, tenant);
  const runs = createDirectRuns({ ...ports, client: CAPTURING }, services, {
    budgets: createBudgetPolicies(config, prices, pseudonyms),
    catalogue: createTenantCatalogue(services, config),
  });

  /** @throws HoldfastError `ACCESS_DENIED` if the maker of the schedule may start no runs any more */
  async function checkMaker({ keyId, scopes }: ScheduleMaker): Promise<void> {
    const isGone = keyId !== undefined && (await keys.stampOf(keyId)) === undefined;
    if (isGone)
      throw new HoldfastError('ACCESS_DENIED', 'The key that made the schedule was revoked or has expired');
    if (!scopes.includes(NEEDED))
      throw new HoldfastError('ACCESS_DENIED', 'The maker of the schedule may start no runs');
  }

  return {
    async prepare(scheduleId, signal) {
      try {
        const { action, maker, user, webhookSecret } = await schedules.get(scheduleId);
        await checkMaker(maker);
        const { schema, area, start } = actions[action.type];
        if (area !== undefined) await configuration.requireInitialized(area);
        const caller = {
          id: maker.id,
          keyId: maker.keyId,
          scopes: new Set(maker.scopes),
          tenant,
          userId: maker.userId,
        };
        const requestId = `schedule-${scheduleId}`;
        const context = startingWithoutRequest({
          requestId,
          logger,
          caller,
          owner: { tenant, user },
          signal,
        });
        // Settings may have become narrower since the schedule was made.
        const sealed = { request: action.request, webhookSecret };
        const body = schema.safeParse(openRequest(sealed, { secrets, tenant, id: scheduleId }));
        if (!body.success) throw validationError('action.request', messageOf(body.error));
        const run = await captureRun(() => start(body.data as never, context, runs, services));
        if (run === undefined)
          throw new HoldfastError('INTERNAL', 'The run of the schedule was not prepared');
        await chooseWebhook({ engine, secrets, settings: config }, body.data)?.report({
          workflowId: run.workflowId,
        });
        return toPreparedChild(run, engine.current().searchAttributes);
      } catch (error) {
        if (!isHoldfastError(error)) throw error;
        if (error.code === 'SCHEDULE_NOT_FOUND') {
          await engineSchedules.remove(scheduleId);
          return { skipped: 'the schedule was deleted' };
        }
        if (error.code !== 'ACCESS_DENIED' && !PAUSING.has(error.code)) throw error;
        await engineSchedules.pause(scheduleId, error.message);
        return { skipped: error.message };
      }
    },
    async removeOfUser(user) {
      for (const schedule of await schedules.list()) {
        if (schedule.user !== user) continue;
        await engineSchedules.remove(schedule.id);
        await schedules.remove(schedule.id);
      }
    },
  };
}
