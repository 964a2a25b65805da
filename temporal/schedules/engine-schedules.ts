import {
  type ScheduleDescription,
  ScheduleAlreadyRunning,
  type ScheduleHandle,
  ScheduleNotFoundError,
  type WorkflowExecutionInfo,
  type ScheduleOptions,
  type ScheduleOverlapPolicy,
} from '@temporalio/client';
import type { Overlap } from '../../src/contracts/http/schedules';
import { completePrefix, tenantPrefix } from '../../src/contracts/runs/run-owner';
import { type ScheduledRunInput, STARTED_MEMO, type StartedMemo } from '../../src/contracts/runs/scheduled';
import { messageOf, validationError } from '../../src/base/errors';
import { readDuration, readInterval } from '../../src/schedules/check-spec';
import { type StoredSchedule, unknownSchedule } from '../../src/schedules/schedule-store';
import type { Engine, EngineConnection } from '../engine';
import { callEngine } from '../runs/call-engine';
import { quote } from '../runs/run-query';
import { indexedStatus } from '../runs/run-status';
import { INVALID_ARGUMENT, testGrpcStatus } from '../grpc-status';
import { toMs, toTimestamp } from '../proto-time';

/** What the engine has of the schedules of a tenant: when they fire. All methods throw `ENGINE_UNAVAILABLE`. */
export interface EngineSchedules {
  /** Makes a schedule, unless it exists. @throws HoldfastError `VALIDATION` if the server refuses what says when it fires */
  create(schedule: StoredSchedule): Promise<void>;
  /** @throws HoldfastError `VALIDATION` as `create`; `SCHEDULE_NOT_FOUND` */
  update(schedule: StoredSchedule): Promise<void>;
  /** Removes one, if there is one. Its runs go on. */
  remove(id: string): Promise<void>;
  /** @throws HoldfastError `SCHEDULE_NOT_FOUND`, as the following do */
  pause(id: string, reason: string): Promise<void>;
  resume(id: string): Promise<void>;
  trigger(id: string): Promise<void>;
  /** Starts the runs of the times from one time to another, whether or not they were started then. */
  backfill(id: string, from: Date, to: Date): Promise<void>;
  /** The number of times from one time to another, at most `MAX_TIMES + 1`. */
  countTimes(id: string, from: Date, to: Date): Promise<number>;
  describe(id: string): Promise<ScheduleState>;
}

export interface ScheduleState {
  readonly paused: boolean;
  readonly reason?: string;
  readonly nextRuns: readonly string[];
  readonly lastRuns: readonly ScheduleRun[];
}

export interface ScheduleRun {
  readonly traceId: string | null;
  readonly workflowId: string | null;
  readonly status: string;
  readonly at: string;
}

/** How many runs one backfill may start. */
export const MAX_TIMES = 1_000;
const DEADLINE_MS = 10_000;
const OVERLAP_NAMES: Readonly<Record<Overlap, ScheduleOverlapPolicy>> = {
  skip: 'SKIP',
  bufferOne: 'BUFFER_ONE',
  bufferAll: 'BUFFER_ALL',
  cancelOther: 'CANCEL_OTHER',
  terminateOther: 'TERMINATE_OTHER',
  allowAll: 'ALLOW_ALL',
};

export function createEngineSchedules(engine: Engine, taskQueue: string, tenant: string): EngineSchedules {
  // Services with other task queues may share the namespace.
  const nameOf = (id: string): string => `${tenantPrefix(tenant)}schedule/${taskQueue}/${id}`;

  const call = <T>(make: (connection: EngineConnection) => Promise<T>): Promise<T> =>
    callEngine(engine, DEADLINE_MS, make);

  const withHandle = <T>(
    id: string,
    use: (handle: ScheduleHandle, connection: EngineConnection) => Promise<T>,
  ) =>
    call(async (connection) => {
      try {
        return await use(connection.client.schedule.getHandle(nameOf(id)), connection);
      } catch (error) {
        throw error instanceof ScheduleNotFoundError ? unknownSchedule(id) : toSpecProblem(error);
      }
    });

  const update = (schedule: StoredSchedule): Promise<void> =>
    withHandle(schedule.id, (handle) =>
      handle.update(({ state }) => ({ ...toOptions(schedule, taskQueue, tenant), state })),
    );

  return {
    async create(schedule) {
      try {
        await call(({ client }) =>
          client.schedule.create({
            scheduleId: nameOf(schedule.id),
            ...toOptions(schedule, taskQueue, tenant),
          }),
        );
      } catch (error) {
        if (!(error instanceof ScheduleAlreadyRunning)) throw toSpecProblem(error);
        // One whose document was deleted and that the engine kept.
        await update(schedule);
      }
    },
    update,
    remove: (id) =>
      call(async ({ client }) => {
        try {
          await client.schedule.getHandle(nameOf(id)).delete();
        } catch (error) {
          if (!(error instanceof ScheduleNotFoundError)) throw error;
        }
      }),
    pause: (id, reason) => withHandle(id, (handle) => handle.pause(reason)),
    resume: (id) => withHandle(id, (handle) => handle.unpause('resumed')),
    trigger: (id) => withHandle(id, (handle) => handle.trigger()),
    backfill: (id, from, to) =>
      withHandle(id, (handle) => handle.backfill({ start: from, end: to, overlap: 'ALLOW_ALL' })),
    countTimes: (id, from, to) =>
      withHandle(id, async (_handle, { client, namespace }) => {
        let count = 0;
        for (let start = from; ;) {
          const { startTime: times } = await client.workflowService.listScheduleMatchingTimes({
            namespace,
            scheduleId: nameOf(id),
            startTime: toTimestamp(start),
            endTime: toTimestamp(to),
          });
          count += times.length;
          // The server lists at most this number, so there may be more.
          if (times.length < MAX_TIMES || count > MAX_TIMES) return count;
          start = new Date(toMs(times.at(-1)) + 1_000);
        }
      }),
    describe: (id) =>
      withHandle(id, async (handle, connection) => {
        const description = await handle.describe();
        const { paused, note } = description.state;
        return {
          paused,
          ...(paused && note !== undefined && note !== '' ? { reason: note } : {}),
          nextRuns: paused ? [] : description.info.nextActionTimes.map((time) => time.toISOString()),
          lastRuns: await readLastRuns(connection, description),
        };
      }),
  };
}

/** The engine's form of a schedule. */
function toOptions(
  { id, spec, overlap, catchupWindow, pauseOnFailure, user }: StoredSchedule,
  taskQueue: string,
  tenant: string,
): Pick<ScheduleOptions, 'spec' | 'action' | 'policies'> {
  const { cron, interval, timeZone, jitter, startAt, endAt } = spec;
  const input: ScheduledRunInput = { scheduleId: id };
  return {
    spec: {
      cronExpressions: cron === undefined ? [] : [...cron],
      intervals: interval === undefined ? [] : [{ every: readInterval(interval, 'spec.interval') }],
      timezone: timeZone,
      jitter: jitter === undefined ? undefined : readDuration(jitter, 'spec.jitter'),
      startAt: startAt === undefined ? undefined : new Date(startAt),
      endAt: endAt === undefined ? undefined : new Date(endAt),
    },
    action: {
      type: 'startWorkflow',
      workflowType: 'scheduledRun',
      workflowId: `${completePrefix({ tenant, user }, 'scheduled')}/${id}`,
      taskQueue,
      args: [input],
      staticSummary: `schedule ${id}`,
    },
    policies: {
      overlap: OVERLAP_NAMES[overlap],
      catchupWindow: readDuration(catchupWindow, 'catchupWindow'),
      pauseOnFailure,
    },
  };
}

/** The latest runs, newest first, each with the state of the run that it started. */
async function readLastRuns(
  { client }: EngineConnection,
  { info }: ScheduleDescription,
): Promise<readonly ScheduleRun[]> {
  const actions = [...info.recentActions].reverse();
  const open = new Set(info.runningActions.map(({ workflow }) => workflow.workflowId));
  const starters = await listById(
    client,
    actions.map(({ action }) => action.workflow.workflowId),
  );
  const startedOf = (workflowId: string): StartedMemo | undefined =>
    starters.get(workflowId)?.memo?.[STARTED_MEMO] as StartedMemo | undefined;
  const startedIds = [...starters.keys()].flatMap((id) => startedOf(id)?.workflowId ?? []);
  const runs = await listById(client, startedIds);
  return actions.map(({ scheduledAt, action: { workflow } }) => {
    const started = startedOf(workflow.workflowId);
    const starter = starters.get(workflow.workflowId);
    const run = runs.get(started?.workflowId ?? '');
    const status =
      run === undefined ? statusOf(starter, open.has(workflow.workflowId)) : indexedStatus(run.raw);
    return {
      traceId: started?.runId ?? null,
      workflowId: started?.workflowId ?? null,
      status,
      at: scheduledAt.toISOString(),
    };
  });
}

/** The status of a time whose run is not known. */
function statusOf(starter: WorkflowExecutionInfo | undefined, isOpen: boolean): string {
  if (starter === undefined) return isOpen ? 'running' : 'unknown';
  const status = indexedStatus(starter.raw);
  return status === 'completed' ? 'skipped' : status;
}

async function listById(
  client: EngineConnection['client'],
  ids: readonly string[],
): Promise<ReadonlyMap<string, WorkflowExecutionInfo>> {
  const executions = new Map<string, WorkflowExecutionInfo>();
  if (ids.length === 0) return executions;
  const query = `WorkflowId IN (${ids.map(quote).join(', ')})`;
  for await (const execution of client.workflow.list({ query, pageSize: 50 }))
    executions.set(execution.workflowId, execution);
  return executions;
}

/** The server's refusal of what says when a schedule fires, as a problem of the request. */
function toSpecProblem(error: unknown): unknown {
  const isRefused =
    error instanceof TypeError || testGrpcStatus(error, (status) => status === INVALID_ARGUMENT);
  if (!isRefused) return error;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return validationError('spec', `The engine refuses spec: ${messageOf(cause)}`);
}
