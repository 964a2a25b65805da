import type { Scope } from '../contracts/http/access';
import type { Overlap, ScheduleAction, ScheduleSpec } from '../contracts/http/schedules';
import { HoldfastError, validationError } from '../base/errors';
import { CONFLICT, untilNoConflict } from '../stores/compare-and-set';
import type { TenantDocuments } from '../stores/documents';

/** For whom the runs of a schedule are started: the caller that made it. */
export interface ScheduleMaker {
  readonly id: string | undefined;
  /** Absent for a caller without a key of the service. */
  readonly keyId?: string;
  readonly scopes: readonly Scope[];
  /** The only user whom the maker may name. */
  readonly userId?: string;
}

/** A schedule as it is stored. What the engine has of it is only when it fires, and its id. */
export interface StoredSchedule {
  readonly id: string;
  readonly spec: ScheduleSpec;
  readonly overlap: Overlap;
  readonly catchupWindow: string;
  readonly pauseOnFailure: boolean;
  readonly action: ScheduleAction;
  /** The secret of the webhook of the action's request, sealed. */
  readonly webhookSecret?: string | undefined;
  readonly maker: ScheduleMaker;
  /** The pseudonym of the user whose runs it starts. */
  readonly user?: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** The schedules of a tenant. All methods throw `STORE_UNAVAILABLE` (retryable). */
export interface ScheduleStore {
  /** @throws HoldfastError `SCHEDULE_NOT_FOUND` */
  get(id: string): Promise<StoredSchedule>;
  /** In the order of their ids. */
  list(): Promise<StoredSchedule[]>;
  /** @throws HoldfastError `SCHEDULE_EXISTS`; `VALIDATION` if the tenant has too many */
  add(schedule: StoredSchedule): Promise<void>;
  /** Replaces a schedule. @throws HoldfastError `SCHEDULE_NOT_FOUND` */
  change(id: string, edit: (schedule: StoredSchedule) => StoredSchedule): Promise<StoredSchedule>;
  /** Whether there was one. */
  remove(id: string): Promise<boolean>;
}

const COLLECTION = 'schedules';

export function createScheduleStore(documents: TenantDocuments, maxSchedules: number): ScheduleStore {
  const list = async (): Promise<StoredSchedule[]> =>
    (await documents.list<StoredSchedule>(COLLECTION)).map(({ value }) => value);
  const put = (value: StoredSchedule, ifVersion: number): Promise<boolean> =>
    documents.write([{ type: 'put', collection: COLLECTION, key: value.id, value, ifVersion }]);

  return {
    list,
    async get(id) {
      const stored = await documents.get<StoredSchedule>(COLLECTION, id);
      if (stored === undefined) throw unknownSchedule(id);
      return stored.value;
    },
    async add(schedule) {
      // Two that are added at once may exceed the limit by one, which is there to bound the number and not to count it.
      if ((await list()).length >= maxSchedules)
        throw validationError('id', `There are ${maxSchedules} schedules already (MAX_SCHEDULES)`);
      if (await put(schedule, 0)) return;
      throw new HoldfastError('SCHEDULE_EXISTS', `There is a schedule "${schedule.id}" already`);
    },
    change: (id, edit) =>
      untilNoConflict('the schedule', async () => {
        const stored = await documents.get<StoredSchedule>(COLLECTION, id);
        if (stored === undefined) throw unknownSchedule(id);
        const changed = edit(stored.value);
        return (await put(changed, stored.version)) ? changed : CONFLICT;
      }),
    async remove(id) {
      const stored = await documents.get(COLLECTION, id);
      await documents.write([{ type: 'delete', collection: COLLECTION, key: id }]);
      return stored !== undefined;
    },
  };
}

/** The error for an id that no schedule of the tenant has. */
export function unknownSchedule(id: string): HoldfastError {
  return new HoldfastError('SCHEDULE_NOT_FOUND', `There is no schedule "${id}"`);
}
