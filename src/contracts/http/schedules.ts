import { z } from 'zod';
import { chosenIdSchema } from './text-schema';
import { timeSchema } from './time-schemas';

const durationSchema = z.string().max(20);

/** When a schedule fires. */
export const scheduleSpecSchema = z
  .strictObject({
    cron: z
      .array(z.string().min(1).max(200))
      .min(1)
      .max(10)
      .optional()
      .describe('Cron expressions of five fields, or names like @daily: it fires at the times of each'),
    interval: durationSchema
      .optional()
      .describe('At least 10s, as in 30s, 5m, 1h or 2d, counted from midnight of 1 January 1970 UTC'),
    timeZone: z.string().min(1).max(100).optional().describe('Of `cron`, as in Europe/Berlin; default UTC'),
    jitter: durationSchema.optional().describe('Each time is put off by a random part of this'),
    startAt: timeSchema.optional(),
    endAt: timeSchema.optional(),
  })
  .refine(({ cron, interval }) => cron !== undefined || interval !== undefined, {
    path: ['cron'],
    message: 'cron or interval is required',
  });

export const OVERLAPS = [
  'skip',
  'bufferOne',
  'bufferAll',
  'cancelOther',
  'terminateOther',
  'allowAll',
] as const;
export const ACTION_TYPES = ['tool', 'tools', 'sequence', 'workflow', 'agent'] as const;

/** What a schedule starts: a request of an endpoint. */
export const scheduleActionSchema = z.strictObject({
  type: z
    .enum(ACTION_TYPES)
    .describe(
      'Whose request it is: /api/tools/execute, execute-multiple and execute-sequential, /api/workflow/execute-custom, /api/agent/execute',
    ),
  request: z.record(z.string(), z.unknown()).describe('The body of a request to that endpoint'),
});

export const schedulePolicies = {
  overlap: z
    .enum(OVERLAPS)
    .optional()
    .describe('What happens at a time at which the run before has not ended; default skip'),
  catchupWindow: durationSchema
    .optional()
    .describe('How late a time that an outage has missed is made up for; at least 10s; default 1h'),
  pauseOnFailure: z
    .boolean()
    .optional()
    .describe('Whether a run that fails pauses the schedule; default false'),
};

export const newScheduleSchema = z.strictObject({
  id: chosenIdSchema.optional().describe('Default: a random one'),
  spec: scheduleSpecSchema,
  ...schedulePolicies,
  action: scheduleActionSchema,
});
export const changedScheduleSchema = z.strictObject({
  spec: scheduleSpecSchema.optional(),
  ...schedulePolicies,
  action: scheduleActionSchema.optional(),
});

const lastRunSchema = z.object({
  traceId: z.string().nullable().describe('Null for a time at which nothing was started'),
  workflowId: z.string().nullable(),
  status: z
    .string()
    .describe(
      'As in `GET /api/runs`; `skipped` for a time at which nothing was started, `unknown` if the run is not kept any more',
    ),
  at: z.string().describe('The time for which it was started'),
});

export const scheduleSchema = z.object({
  id: z.string(),
  spec: scheduleSpecSchema,
  overlap: z.enum(OVERLAPS),
  catchupWindow: z.string(),
  pauseOnFailure: z.boolean(),
  action: scheduleActionSchema,
  paused: z.boolean(),
  reason: z.string().optional().describe('Why it is paused'),
  createdAt: z.string(),
  nextRuns: z.array(z.string()).describe('The next times, at most ten; none while it is paused'),
  lastRuns: z
    .array(lastRunSchema)
    .describe('The latest ten, newest first; the index shows them within about a second'),
});

export type ScheduleSpec = z.output<typeof scheduleSpecSchema>;
export type ScheduleAction = z.output<typeof scheduleActionSchema>;
export type NewSchedule = z.output<typeof newScheduleSchema>;
export type ChangedSchedule = z.output<typeof changedScheduleSchema>;
export type Overlap = (typeof OVERLAPS)[number];
export type ScheduleView = z.input<typeof scheduleSchema>;
