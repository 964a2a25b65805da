import { Context } from '@temporalio/activity';
import type { ScheduledStart } from '../src/contracts/runs/scheduled';

export interface ScheduleActivitiesPorts {
  /** As the activity. */
  readonly prepare: (scheduleId: string, signal: AbortSignal) => Promise<ScheduledStart>;
}

/** The step of the workflow that a schedule starts. */
export interface ScheduleActivities {
  /**
   * Prepares the run of a schedule from its request, as the endpoint would for the caller that made the schedule. A schedule that
   * cannot go on is paused with the reason.
   * @throws HoldfastError what is wrong with the request by now; `STORE_UNAVAILABLE`, `ENGINE_UNAVAILABLE` (retryable)
   */
  prepareScheduled(scheduleId: string): Promise<ScheduledStart>;
}

export function createScheduleActivities({ prepare }: ScheduleActivitiesPorts): ScheduleActivities {
  return {
    prepareScheduled: (scheduleId) => prepare(scheduleId, Context.current().cancellationSignal),
  };
}
