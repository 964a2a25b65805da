import { z } from 'zod';
import { changedScheduleSchema, newScheduleSchema, scheduleSchema } from '../../src/contracts/http/schedules';
import { timeSchema } from '../../src/contracts/http/time-schemas';
import { chosenIdSchema } from '../../src/contracts/http/text-schema';
import { documentedAs } from '../http/examples';
import { type AnyRoute, routesWith } from '../http/route';
import type { Schedules } from './schedule-service';

/** What the routes of schedules need of the caller's tenant. */
export interface ScheduleServices {
  readonly schedules: Schedules;
}

const { defineRoute } = routesWith<ScheduleServices>();

const TAG = 'Schedules';
const PATH = '/api/schedules/:id';
const params = z.object({ id: chosenIdSchema });
const count = z.object({ runs: z.number().int().describe('How many runs are started') });
const REASON_LENGTH = 200;

/** The routes of schedules, which start runs by the clock. */
export function scheduleRoutes(): AnyRoute<ScheduleServices>[] {
  return [
    defineRoute({
      method: 'post',
      path: '/api/schedules',
      ...documentedAs('createSchedule'),
      access: 'run',
      tag: TAG,
      summary: 'Start a run again and again by the clock',
      description:
        'The request is checked now, and prepared anew each time. Runs belong to the caller, and have its tenant, user and scopes; a schedule whose key is revoked, or whose workflow or tool is deleted, is paused with the reason.',
      message: ({ id }) => `Schedule "${id}" created`,
      status: 201,
      location: ({ id }) => `/api/schedules/${id}`,
      request: { body: newScheduleSchema },
      response: scheduleSchema,
      handler: ({ body }, context) => context.services.schedules.create(body, context),
    }),
    defineRoute({
      method: 'get',
      path: '/api/schedules',
      ...documentedAs('listSchedules'),
      access: 'read',
      tag: TAG,
      summary: 'All schedules, by id',
      message: ({ schedules }) => `Found ${schedules.length} schedules`,
      request: {},
      response: z.object({ schedules: z.array(scheduleSchema) }),
      handler: async (_input, context) => ({ schedules: await context.services.schedules.list(context) }),
    }),
    defineRoute({
      method: 'get',
      path: PATH,
      ...documentedAs('getSchedule'),
      access: 'read',
      tag: TAG,
      summary: 'One schedule, with its next and its latest runs',
      message: 'Schedule retrieved successfully',
      request: { params },
      response: scheduleSchema,
      handler: ({ params: { id } }, context) => context.services.schedules.get(id, context),
    }),
    defineRoute({
      method: 'patch',
      path: PATH,
      ...documentedAs('updateSchedule'),
      access: 'run',
      tag: TAG,
      summary: 'Change a schedule',
      description:
        'What is absent stays. A new `action` makes the caller the one for whom the runs are started.',
      message: ({ id }) => `Schedule "${id}" changed`,
      request: { params, body: changedScheduleSchema },
      response: scheduleSchema,
      handler: ({ params: { id }, body }, context) => context.services.schedules.change(id, body, context),
    }),
    defineRoute({
      method: 'delete',
      path: PATH,
      ...documentedAs('deleteSchedule'),
      access: 'run',
      tag: TAG,
      summary: 'Delete a schedule; a run that it has started goes on',
      message: ({ id }) => `Schedule "${id}" deleted`,
      request: { params },
      response: z.object({ id: z.string() }),
      handler: async ({ params: { id } }, context) => {
        await context.services.schedules.remove(id, context);
        return { id };
      },
    }),
    defineRoute({
      method: 'post',
      path: `${PATH}/pause`,
      ...documentedAs('pauseSchedule'),
      access: 'run',
      tag: TAG,
      summary: 'Pause a schedule',
      message: ({ id }) => `Schedule "${id}" paused`,
      request: {
        params,
        body: z
          .strictObject({ reason: z.string().min(1).max(REASON_LENGTH).default('paused by a caller') })
          .optional(),
      },
      response: scheduleSchema,
      handler: ({ params: { id }, body }, context) =>
        context.services.schedules.pause(id, body?.reason ?? 'paused by a caller', context),
    }),
    defineRoute({
      method: 'post',
      path: `${PATH}/resume`,
      ...documentedAs('resumeSchedule'),
      access: 'run',
      tag: TAG,
      summary: 'Let a paused schedule go on',
      message: ({ id }) => `Schedule "${id}" goes on`,
      request: { params },
      response: scheduleSchema,
      handler: ({ params: { id } }, context) => context.services.schedules.resume(id, context),
    }),
    defineRoute({
      method: 'post',
      path: `${PATH}/trigger`,
      ...documentedAs('triggerSchedule'),
      access: 'run',
      tag: TAG,
      summary: 'Start a run of a schedule now',
      description: 'As at a time of the schedule: what it says of overlaps holds.',
      message: ({ id }) => `Schedule "${id}" triggered`,
      request: { params },
      response: scheduleSchema,
      handler: ({ params: { id } }, context) => context.services.schedules.trigger(id, context),
    }),
    defineRoute({
      method: 'post',
      path: `${PATH}/backfill`,
      ...documentedAs('backfillSchedule'),
      access: 'run',
      tag: TAG,
      summary: 'Start the runs of times that have passed',
      description: 'At most 1,000, all at once, whether or not they were started then.',
      message: ({ runs }) => `${runs} runs are started`,
      request: { params, body: z.strictObject({ from: timeSchema, to: timeSchema }) },
      response: count,
      handler: async ({ params: { id }, body: { from, to } }, context) => ({
        runs: await context.services.schedules.backfill(id, from, to, context),
      }),
    }),
  ];
}
