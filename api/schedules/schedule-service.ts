import type {
  ChangedSchedule,
  NewSchedule,
  ScheduleAction,
  ScheduleSpec,
  ScheduleView,
} from '../../src/contracts/http/schedules';
import { type HoldfastError, isHoldfastError, validationError } from '../../src/base/errors';
import { newId } from '../../src/base/ids';
import type { StoreConfiguration } from '../../src/memory/stores/configuration';
import { checkCron, checkTimeZone, readDuration, readInterval } from '../../src/schedules/check-spec';
import {
  createScheduleStore,
  type ScheduleMaker,
  type StoredSchedule,
  unknownSchedule,
} from '../../src/schedules/schedule-store';
import { sealRequest } from '../../src/schedules/sealed-request';
import type { SecretBox } from '../../src/secrets/secret-box';
import { RUN_USER } from '../../src/secrets/pseudonyms';
import type { TenantServices } from '../../src/tenants/tenants';
import { CAPTURING, captureRun, turnsToCheck } from '../../requests/captured-run';
import { createDirectRuns, type DirectRunsParts, type DirectRunsPorts } from '../../requests/direct-runs';
import { chooseWebhook } from '../../requests/webhooks';
import type { ScheduledActions } from '../../requests/scheduled-actions';
import { serverClock } from '../../temporal/server-clock';
import {
  createEngineSchedules,
  MAX_TIMES,
  type ScheduleState,
} from '../../temporal/schedules/engine-schedules';
import { parseInput } from '../http/input';
import type { RequestContext } from '../http/route';

export interface SchedulePorts extends Omit<DirectRunsPorts, 'client'> {
  readonly secrets: SecretBox;
  readonly actions: ScheduledActions;
  readonly configuration: Pick<StoreConfiguration, 'requireInitialized'>;
}

/**
 * The schedules of a tenant. A caller of one user sees and changes those of its user alone. All methods throw
 * `STORE_UNAVAILABLE`, `ENGINE_UNAVAILABLE` (both retryable).
 */
export interface Schedules {
  /** @throws HoldfastError `VALIDATION`, `SCHEDULE_EXISTS`, what the endpoint of the request throws for it */
  create(schedule: NewSchedule, context: RequestContext): Promise<ScheduleView>;
  list(context: RequestContext): Promise<ScheduleView[]>;
  /** @throws HoldfastError `SCHEDULE_NOT_FOUND`, as the following do */
  get(id: string, context: RequestContext): Promise<ScheduleView>;
  /** @throws HoldfastError as `create` */
  change(id: string, changed: ChangedSchedule, context: RequestContext): Promise<ScheduleView>;
  remove(id: string, context: RequestContext): Promise<void>;
  pause(id: string, reason: string, context: RequestContext): Promise<ScheduleView>;
  resume(id: string, context: RequestContext): Promise<ScheduleView>;
  trigger(id: string, context: RequestContext): Promise<ScheduleView>;
  /** @returns how many runs it starts @throws HoldfastError `VALIDATION` for more than `MAX_TIMES` */
  backfill(id: string, from: string, to: string, context: RequestContext): Promise<number>;
}

const DEFAULTS = { overlap: 'skip', catchupWindow: '1h', pauseOnFailure: false } as const;
const MIN_CATCHUP_MS = 10_000;
const AT_ONCE = 10;
/** Lists have the requests of all schedules. */
const MAX_REQUEST_BYTES = 65_536;
const ENDED: ScheduleState = { paused: false, reason: 'it has ended', nextRuns: [], lastRuns: [] };

export function createSchedules(
  ports: SchedulePorts,
  services: TenantServices,
  parts: Omit<DirectRunsParts, 'turns'>,
): Schedules {
  const { config, engine, configuration, secrets, actions } = ports;
  const { documents, pseudonyms, tenant } = services;
  const store = createScheduleStore(documents, config.MAX_SCHEDULES);
  const fires = createEngineSchedules(engine, config.TASK_QUEUE, tenant);
  const runs = createDirectRuns({ ...ports, client: CAPTURING }, services, {
    ...parts,
    turns: turnsToCheck((userId) => services.memory.erasures.isUnderWay(userId)),
  });

  const find = async (id: string, { owner }: RequestContext): Promise<StoredSchedule> => {
    const schedule = await store.get(id);
    if (owner.user !== undefined && schedule.user !== owner.user) throw unknownSchedule(id);
    return schedule;
  };

  /** Checks the request as its endpoint would, and that a run could be started of it now. */
  async function checkAction({ type, request }: ScheduleAction, context: RequestContext): Promise<void> {
    if (Buffer.byteLength(JSON.stringify(request)) > MAX_REQUEST_BYTES)
      throw validationError('action.request', `action.request may have at most ${MAX_REQUEST_BYTES} bytes`);
    const { schema, area, start } = actions[type];
    try {
      const body = parseInput(schema, request, 'body') as { readonly dryRun?: boolean };
      if (body.dryRun === true) throw validationError('dryRun', 'dryRun starts no run');
      if (area !== undefined) await configuration.requireInitialized(area);
      chooseWebhook({ engine, secrets, settings: config }, body);
      await captureRun(() => start(body as never, { ...context, idempotencyKey: undefined }, runs, services));
    } catch (error) {
      throw isHoldfastError(error) && error.code === 'VALIDATION' ? inRequest(error) : error;
    }
  }

  /** What is stored of an action. Without a secret of its own, that of the action before is gone. */
  const sealed = (id: string, action: ScheduleAction): Pick<StoredSchedule, 'action' | 'webhookSecret'> => {
    const { request, webhookSecret } = sealRequest(action.request, { secrets, tenant, id });
    return { action: { ...action, request }, webhookSecret };
  };

  const userOf = ({ type, request }: ScheduleAction, { owner }: RequestContext): string | undefined => {
    const named = (request['options'] as { readonly userId?: unknown } | undefined)?.userId;
    return (
      owner.user ?? (type === 'agent' && typeof named === 'string' ? pseudonyms(RUN_USER, named) : undefined)
    );
  };

  /** A schedule that the engine has no more, since it has ended for long, is shown without times. */
  async function view(
    { maker: _, user: __, webhookSecret: ___, ...schedule }: StoredSchedule,
    { redactor }: Pick<RequestContext, 'redactor'>,
  ): Promise<ScheduleView> {
    const state = await fires.describe(schedule.id).catch(unlessGone);
    const { nextRuns, lastRuns, ...rest } = state ?? ENDED;
    const action = { ...schedule.action, request: redactor.value(withoutAddress(schedule.action.request)) };
    return { ...schedule, action, ...rest, nextRuns: [...nextRuns], lastRuns: [...lastRuns] };
  }

  const thenView =
    (act: (id: string) => Promise<void>) =>
    async (id: string, context: RequestContext): Promise<ScheduleView> => {
      const schedule = await find(id, context);
      await act(id);
      return view(schedule, context);
    };

  return {
    async create({ id = newId().toLowerCase(), ...newSchedule }, context) {
      checkSpec(newSchedule.spec);
      checkCatchup(newSchedule.catchupWindow);
      await checkAction(newSchedule.action, context);
      const schedule: StoredSchedule = {
        id,
        ...DEFAULTS,
        ...newSchedule,
        ...sealed(id, newSchedule.action),
        maker: makerOf(context),
        user: userOf(newSchedule.action, context),
        createdAt: new Date(serverClock.now()).toISOString(),
      };
      await store.add(schedule);
      try {
        await fires.create(schedule);
      } catch (error) {
        // The server has refused it. If it was only away, the schedule may exist by now, and goes too.
        await store.remove(id);
        await fires.remove(id).catch(() => undefined);
        throw error;
      }
      return view(schedule, context);
    },
    async list(context) {
      const { owner } = context;
      const all = (await store.list()).filter(({ user }) => owner.user === undefined || user === owner.user);
      const views: ScheduleView[] = [];
      for (let at = 0; at < all.length; at += AT_ONCE) {
        const page = await Promise.all(all.slice(at, at + AT_ONCE).map((one) => view(one, context)));
        views.push(...page);
      }
      return views;
    },
    get: async (id, context) => view(await find(id, context), context),
    async change(id, changed, context) {
      const before = await find(id, context);
      if (changed.spec !== undefined) checkSpec(changed.spec);
      checkCatchup(changed.catchupWindow);
      // The runs are those of the caller that changed what is started.
      if (changed.action !== undefined) await checkAction(changed.action, context);
      const { action } = changed;
      const making = action === undefined ? {} : { ...sealed(id, action), maker: makerOf(context) };
      const user = action === undefined ? before.user : userOf(action, context);
      const edit = (stored: StoredSchedule): StoredSchedule => ({
        ...stored,
        ...changed,
        ...making,
        user,
      });
      const after = await store.change(id, edit);
      try {
        await fires.update(after);
      } catch (error) {
        if (!isHoldfastError(error)) throw error;
        if (error.code !== 'SCHEDULE_NOT_FOUND') {
          await store.change(id, () => before);
          throw error;
        }
        // One that has ended for long begins again.
        await fires.create(after);
      }
      return view(after, context);
    },
    async remove(id, context) {
      await find(id, context);
      await fires.remove(id);
      await store.remove(id);
    },
    pause: (id, reason, context) => thenView((name) => fires.pause(name, reason))(id, context),
    resume: thenView((id) => fires.resume(id)),
    trigger: thenView((id) => fires.trigger(id)),
    async backfill(id, from, to, context) {
      await find(id, context);
      const [start, end] = [new Date(from), new Date(to)];
      if (start > end) throw validationError('from', 'from must not be after to');
      if (end.getTime() > serverClock.now()) throw validationError('to', 'to must not be in the future');
      const count = await fires.countTimes(id, start, end);
      if (count > MAX_TIMES)
        throw validationError(
          'to',
          `A backfill may start at most ${MAX_TIMES} runs, and these times are more`,
        );
      await fires.backfill(id, start, end);
      return count;
    },
  };
}

function makerOf({ caller: { id, keyId, scopes, userId } }: RequestContext): ScheduleMaker {
  return { id, keyId, scopes: [...scopes], userId };
}

/** @throws HoldfastError `VALIDATION`, which names the field */
function checkSpec({ cron = [], interval, timeZone, jitter, startAt, endAt }: ScheduleSpec): void {
  cron.forEach((text, at) => checkCron(text, `spec.cron[${at}]`));
  if (interval !== undefined) readInterval(interval, 'spec.interval');
  if (timeZone !== undefined) checkTimeZone(timeZone, 'spec.timeZone');
  if (jitter !== undefined) readDuration(jitter, 'spec.jitter');
  if (startAt !== undefined && endAt !== undefined && startAt >= endAt)
    throw validationError('spec.endAt', 'spec.endAt must be after spec.startAt');
}

function checkCatchup(catchupWindow: string | undefined): void {
  if (catchupWindow === undefined || readDuration(catchupWindow, 'catchupWindow') >= MIN_CATCHUP_MS) return;
  throw validationError('catchupWindow', 'catchupWindow must be at least 10s');
}

/** The problem of a request within a schedule, with the path of its field. */
function inRequest(error: HoldfastError): HoldfastError {
  const { field = 'body' } = (error.details ?? {}) as { readonly field?: string };
  const path = field === 'body' ? 'action.request' : `action.request.${field}`;
  return validationError(path, error.message.replace(field, path));
}

/** An address may have credentials, so only where it leads is shown. */
function withoutAddress(request: ScheduleAction['request']): ScheduleAction['request'] {
  const options = request['options'] as { readonly webhook?: { readonly url?: string } } | undefined;
  if (options?.webhook?.url === undefined) return request;
  const { origin } = new URL(options.webhook.url);
  return { ...request, options: { ...options, webhook: { ...options.webhook, url: origin } } };
}

/** Undefined for a schedule that the engine does not have. */
function unlessGone(error: unknown): undefined {
  if (!isHoldfastError(error) || error.code !== 'SCHEDULE_NOT_FOUND') throw error;
}
